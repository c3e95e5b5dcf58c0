import { type Id, parseId } from "../../kernel/ids.ts";
import type { Cents } from "../../kernel/money.ts";
import type { Context } from "../../platform/context.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { NextRun } from "../../platform/jobs/job.ts";
import { insertJob } from "../../platform/jobs/queries.ts";
import { findMerchant, type Merchant } from "../merchants/index.ts";
import { approveRefundLate, findRefund, reverseRefundLate } from "../refunds/index.ts";
import {
  findTransaction,
  isVerification,
  lockTransaction,
  recordLateApproval,
  reverseAtAcquirer,
  type Transaction,
} from "../transactions/index.ts";

/** Reverses a payment or refund that the host approved after it had confirmed the reversal. */
export const REVERSE_LATE_JOB = "acquirer_reverse_late";

type Parts = Pick<Context, "now" | "log" | "settings">;

/**
 * The host approved a payment or refund after it had confirmed its reversal. One that is declined by now gets its late
 * approval on record; the others change with their own decline. All are reversed once more.
 */
export async function planLateReversal(
  ctx: Parts,
  tx: Tx,
  merchantId: Id<"merchant">,
  { reference, amount }: { readonly reference: string; readonly amount: Cents },
): Promise<void> {
  const merchant = await findMerchant(tx, merchantId);
  if (merchant === undefined) return;
  const id = parseId("transaction", reference);
  const transaction = id && (await lockTransaction(tx, merchantId, id));
  // A verification that is approved late holds nothing.
  if (transaction?.status === "declined" && !isVerification(transaction)) {
    const late = { transaction, amount, due: ctx.now() };
    if ((await recordLateApproval(ctx, tx, merchant, late)) !== undefined) return;
  }
  const refundId = parseId("refund", reference);
  if (refundId !== undefined) await approveRefundLate(ctx, tx, merchant, { id: refundId, amount });
  const job = { kind: REVERSE_LATE_JOB, merchantId, subjectId: reference, realTime: true } as const;
  await insertJob(tx, job, ctx.now());
}

export async function reverseLateApproval(
  ctx: Context,
  merchant: Merchant,
  reference: string,
): Promise<NextRun> {
  const refundId = parseId("refund", reference);
  const transaction = await findPayment(ctx, merchant, reference);
  if (transaction === undefined) return undefined;
  const answer = await reverseAtAcquirer(ctx, merchant, transaction, { reference });
  if (answer.kind === "approved") {
    if (refundId !== undefined) await reverseRefundLate(ctx, merchant, refundId);
    return undefined;
  }
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
