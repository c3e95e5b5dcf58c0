import type { Id } from "../../kernel/ids.ts";
import { refuse } from "../../kernel/refusal.ts";
import { later, SECOND } from "../../kernel/time.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import type { Tx } from "../../platform/db/database.ts";
import { claimKey } from "../../platform/idempotency/claim-key.ts";
import { insertJob } from "../../platform/jobs/queries.ts";
import type { RequestCaller } from "../merchants/index.ts";
import { findTransaction } from "../transactions/index.ts";
import { type Dispute, respond } from "./dispute.ts";
import { disputePath } from "./present.ts";
import { publishDispute } from "./publish-dispute.ts";
import { lockDispute, updateDispute } from "./queries.ts";

export const DECIDE_DISPUTE_JOB = "dispute_decide";

/**
 * Sends the merchant's evidence: the payer's bank reviews it. In the sandbox a job simulates that bank. An acquirer gets it
 * from the operator.
 */
export async function sendEvidence(
  ctx: Context,
  caller: RequestCaller,
  id: Id<"dispute">,
  given: string,
): Promise<Dispute> {
  const text = given.replaceAll("\r\n", "\n");
  return ctx.db.transaction(async (tx) => {
    await claimKey(tx, caller, { id, path: disputePath(id) });
    const dispute = (await lockDispute(tx, caller.merchantId, id)) ?? refuse("resource_not_found");
    const responded = respond(dispute, "sendEvidence", clockOf(ctx, caller.merchant));
    const sent: Dispute = { ...responded, evidence: text, evidenceAt: responded.updatedAt };
    await updateDispute(tx, sent);
    await publishDispute(ctx, tx, caller.mode, sent);
    if (await isSimulated(tx, caller, dispute)) {
      const job = { kind: DECIDE_DISPUTE_JOB, merchantId: caller.merchantId, subjectId: id };
      await insertJob(tx, job, later(ctx.now(), ctx.settings.sandboxSettlementSeconds * SECOND));
    } else {
      passOn(ctx, dispute, "evidence for a dispute: send it to the payer's bank at the acquirer");
    }
    return sent;
  });
}

/** Accepts that the payer keeps the money. */
export async function acceptDispute(
  ctx: Context,
  caller: RequestCaller,
  id: Id<"dispute">,
): Promise<Dispute> {
  return ctx.db.transaction(async (tx) => {
    await claimKey(tx, caller, { id, path: disputePath(id) });
    const dispute = (await lockDispute(tx, caller.merchantId, id)) ?? refuse("resource_not_found");
    const accepted = respond(dispute, "accept", clockOf(ctx, caller.merchant));
    await updateDispute(tx, accepted);
    await publishDispute(ctx, tx, caller.mode, accepted);
    if (!(await isSimulated(tx, caller, dispute)))
      passOn(ctx, dispute, "a dispute is accepted: accept it at the acquirer");
    return accepted;
  });
}

/** Whether the sandbox simulates the payer's bank. A bank's test host has disputes of its own. */
export async function isSimulated(
  tx: Tx,
  { merchantId, mode }: Pick<RequestCaller, "merchantId" | "mode">,
  dispute: Dispute,
): Promise<boolean> {
  if (mode !== "sandbox") return false;
  const transaction = await findTransaction(tx, merchantId, dispute.transactionId);
  return transaction?.acquirerAccountId === null;
}

/** No connector sends responses yet: the operator does. */
function passOn(ctx: Context, { merchantId, id }: Dispute, message: string): void {
  ctx.log.warn({ merchantId, subjectId: id }, message);
}
