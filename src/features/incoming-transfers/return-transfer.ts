import { soundBankAnswer } from "../../connectors/ports/sound-answer.ts";
import type { Id } from "../../kernel/ids.ts";
import { nextState } from "../../kernel/lifecycle.ts";
import type { Context } from "../../platform/context.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { NextRun } from "../../platform/jobs/job.ts";
import { insertJob } from "../../platform/jobs/queries.ts";
import { answerOrUnknown } from "../transactions/index.ts";
import { type IncomingTransfer, lifecycle } from "./incoming-transfer.ts";
import { endReturning, findTransfer, insertTransfer } from "./queries.ts";

export const RETURN_TRANSFER_JOB = "payid_return";

/** Stands for the merchant's id in the job of a transfer that matches no PayID. Stored jobs have this value, so it stays. */
const UNMATCHED_TRANSFER_MERCHANT = "nobody";

/** Records that a transfer is returned, with the job that sends it to the rail until the rail has answered. */
export async function beginReturn(
  ctx: Context,
  tx: Tx,
  transfer: Omit<IncomingTransfer, "status" | "transactionId">,
): Promise<IncomingTransfer> {
  const returning = { ...transfer, status: "returning", transactionId: null } as const;
  await insertTransfer(tx, returning);
  const merchantId = transfer.merchantId ?? UNMATCHED_TRANSFER_MERCHANT;
  const job = { kind: RETURN_TRANSFER_JOB, merchantId, subjectId: transfer.id, realTime: true } as const;
  await insertJob(tx, job, ctx.now());
  return returning;
}

/** Returns the money through the rail. Repeating it is safe: the rail identifies the return by the transfer's id. */
export async function returnTransfer(ctx: Context, id: Id<"incomingTransfer">): Promise<NextRun> {
  const transfer = await findTransfer(ctx.db, id);
  if (transfer?.status !== "returning") return undefined;
  const rail = ctx.connectors.findPayIdRail(transfer);
  if (rail === undefined) throw new Error("PayID transfer not returned: its mode has no PayID rail");
  const input = { reference: transfer.id, transfer: transfer.message, amount: transfer.amount };
  const answer = await answerOrUnknown(ctx, () => soundBankAnswer(rail.returnTransfer(input)));
  if (answer.kind === "unknown")
    return { retry: "a PayID transfer is not returned yet: the outcome is not known" };
  const trigger = answer.kind === "approved" ? "confirmReturn" : "refuseReturn";
  if (trigger === "refuseReturn")
    ctx.log.error({ subjectId: transfer.id }, "PayID transfer not returned: the rail refused the return");
  const after = nextState(lifecycle, transfer.status, trigger) ?? transfer.status;
  await endReturning(ctx.db, transfer.id, after);
  return undefined;
}
