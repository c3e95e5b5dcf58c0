import { parseId } from "../../kernel/ids.ts";
import type { Context } from "../../platform/context.ts";
import type { NextRun } from "../../platform/jobs/job.ts";
import type { Merchant } from "../merchants/index.ts";
import { findRefund } from "../refunds/index.ts";
import { findTransaction, reverseAtAcquirer, type Transaction } from "../transactions/index.ts";

/** Reverses a payment or refund that the host approved after it had confirmed the reversal of something unseen. */
export const REVERSE_LATE_JOB = "acquirer_reverse_late";

export async function reverseLateApproval(
  ctx: Context,
  merchant: Merchant,
  reference: string,
): Promise<NextRun> {
  const transaction = await findPayment(ctx, merchant, reference);
  if (transaction === undefined) return undefined;
  const answer = await reverseAtAcquirer(ctx, merchant, transaction, reference);
  if (answer.kind === "approved") return undefined;
  const { host } = await ctx.acquirers.get(merchant, transaction.acquirerAccountId);
  return {
    retry: "a late approval is not reversed: the acquirer has not confirmed it",
    withinMs: host.repeatsWithinMs,
  };
}

/** The payment itself, or the one that the refund returns. */
async function findPayment(
  ctx: Context,
  merchant: Merchant,
  reference: string,
): Promise<Transaction | undefined> {
  const id = parseId("transaction", reference);
  if (id !== undefined) return findTransaction(ctx.db, merchant.id, id);
  const refundId = parseId("refund", reference);
  const refund = refundId && (await findRefund(ctx.db, merchant.id, refundId));
  return refund && findTransaction(ctx.db, merchant.id, refund.transactionId);
}
