import { type Id, newId } from "../../kernel/ids.ts";
import type { Cents } from "../../kernel/money.ts";
import { type Instant, later, SECOND } from "../../kernel/time.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import type { NextRun } from "../../platform/jobs/job.ts";
import { insertJob } from "../../platform/jobs/queries.ts";
import { lockClock, type Merchant } from "../merchants/index.ts";
import {
  findTransaction,
  holdDispute,
  isCaptured,
  isOpenAuthorisation,
  lockTransaction,
  refundable,
  updateTransaction,
} from "../transactions/index.ts";
import { type Dispute, RESPONSE_TIME } from "./dispute.ts";
import { publishDispute } from "./publish-dispute.ts";
import { findDisputeOf, insertDispute } from "./queries.ts";

export const LAPSE_DISPUTE_JOB = "dispute_lapse";

export type OpenedDispute = Pick<Dispute, "transactionId" | "reason"> & {
  /** Absent, or more than is left: all that was captured and not refunded. */
  readonly amount?: Cents;
  /** In real time. */
  readonly respondBy?: Instant;
  /** Absent: the payment has no other dispute. */
  readonly caseReference?: string;
};

/**
 * Opens a dispute of a payment: what was captured and neither refunded nor disputed is held. A second notice of the same case
 * changes nothing, nor does one about money that is not there.
 */
export async function openDispute(
  ctx: Context,
  merchant: Merchant,
  { transactionId, reason, amount: disputed, respondBy, caseReference }: OpenedDispute,
): Promise<Dispute | undefined> {
  const now = clockOf(ctx, merchant);
  return ctx.db.transaction(async (tx) => {
    const transaction = await lockTransaction(tx, merchant.id, transactionId);
    if (transaction === undefined || !isCaptured(transaction)) return undefined;
    if (await findDisputeOf(tx, merchant.id, transactionId, caseReference)) return undefined;
    const left = refundable(transaction);
    if (left < 1) return undefined;
    const amount = disputed === undefined || disputed > left ? left : disputed;
    const evidenceDueAt =
      respondBy === undefined ? later(now, RESPONSE_TIME) : later(respondBy, merchant.clockOffset);
    const dispute: Dispute = {
      id: newId("dispute", now),
      merchantId: merchant.id,
      transactionId,
      caseReference: caseReference ?? null,
      reference: transaction.reference,
      reason,
      metadata: transaction.metadata,
      amount,
      currency: transaction.currency,
      status: "needs_response",
      evidence: null,
      evidenceAt: null,
      evidenceDueAt,
      createdAt: now,
      updatedAt: now,
    };
    await updateTransaction(tx, holdDispute(transaction, amount));
    await insertDispute(tx, dispute);
    await publishDispute(ctx, tx, merchant.mode, dispute);
    const job = { kind: LAPSE_DISPUTE_JOB, merchantId: merchant.id, subjectId: dispute.id };
    const { clockOffset } = await lockClock(tx, merchant);
    await insertJob(tx, job, later(evidenceDueAt, -clockOffset));
    return dispute;
  });
}

/** In the sandbox: the payer disputes a payment once it is captured. Returns when to look again. */
export async function openSandboxDispute(
  ctx: Context,
  merchant: Merchant,
  transactionId: Id<"transaction">,
): Promise<NextRun> {
  const transaction = await findTransaction(ctx.db, merchant.id, transactionId);
  const reason = transaction && ctx.sandbox.disputes.reasonOf(transaction.amount);
  if (transaction === undefined || reason === undefined) return undefined;
  if (transaction.status === "pending" || isOpenAuthorisation(transaction)) {
    return later(ctx.now(), ctx.settings.sandboxSettlementSeconds * SECOND);
  }
  await openDispute(ctx, merchant, { transactionId, reason });
  return undefined;
}
