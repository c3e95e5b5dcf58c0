import { type Id, parseId } from "../../kernel/ids.ts";
import { nextState } from "../../kernel/lifecycle.ts";
import { changeTime, type Instant, later, SECOND } from "../../kernel/time.ts";
import type { JobHandler } from "../../platform/jobs/worker.ts";
import { clockOf, type World } from "../../platform/world.ts";
import { findMerchant, type Merchant } from "../merchants/index.ts";
import { askAcquirer, findTransaction, lockTransaction, updateTransaction } from "../transactions/index.ts";
import { announceRefund } from "./announce-refund.ts";
import { giveBack } from "./give-back.ts";
import { findRefund, lockRefund, updateRefund } from "./queries.ts";
import { lifecycle, type Refund } from "./refund.ts";

export const SETTLE_REFUND_JOB = "refund_settle";

/** Gives the money back. Repeating it is safe: whoever moves it knows the refund by its id. */
export const settleRefundWhenDue: JobHandler = async (world, job) => {
  const merchant = await findMerchant(world.db, job.merchantId as Id<"merchant">);
  const id = parseId("refund", job.subjectId);
  const refund = merchant && id && (await findRefund(world.db, merchant.id, id));
  if (merchant === undefined || refund?.status !== "pending") return undefined;
  return settleRefund(world, merchant, refund);
};

/** Gives the moment to ask again when the bank's answer is not known. */
export async function settleRefund(
  world: World,
  merchant: Merchant,
  refund: Refund,
): Promise<Instant | undefined> {
  const taken = await findTransaction(world.db, merchant.id, refund.transactionId);
  if (taken === undefined) return undefined;
  const answer = await askAcquirer(world, () => giveBack(world, merchant, taken, refund));
  if (answer.kind === "unknown") return later(world.now(), 5 * SECOND);
  const settled = await world.db.transaction(async (tx) => {
    const transaction = await lockTransaction(tx, merchant.id, refund.transactionId);
    const pending = await lockRefund(tx, merchant.id, refund.id);
    if (transaction === undefined || pending?.status !== "pending") return false;
    const approved = answer.kind === "approved";
    const status = nextState(lifecycle, pending.status, approved ? "approve" : "decline") ?? pending.status;
    const updatedAt = changeTime(clockOf(world, merchant), pending.updatedAt);
    const done: Refund = { ...pending, status, code: answer.code, updatedAt };
    await updateTransaction(tx, {
      ...transaction,
      refundsHeld: transaction.refundsHeld - (approved ? 0 : pending.amount),
      refunded: transaction.refunded + (approved ? pending.amount : 0),
    });
    await updateRefund(tx, done);
    await announceRefund(tx, merchant.mode, done);
    return true;
  });
  if (settled) world.figures.refunded({ mode: merchant.mode, source: taken.source }, answer.kind);
  return undefined;
}
