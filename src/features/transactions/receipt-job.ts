import type { Context } from "../../platform/context.ts";
import type { FollowUp } from "./queries.ts";
import type { Transaction } from "./transaction.ts";
import { isCaptured } from "./transaction-rules.ts";

export const SEND_RECEIPT_JOB = "receipt_send";

/**
 * The job that sends the payer's receipt, to be written in the transaction that records the capture: one that is rolled
 * back has no receipt, one that is committed has one. None while no mail server is set.
 */
export function receiptJobOf(ctx: Context, transaction: Transaction): FollowUp | undefined {
  if (ctx.mailer === undefined || transaction.paymentRequestId === null || !isCaptured(transaction)) {
    return undefined;
  }
  const { merchantId, id: subjectId } = transaction;
  return { job: { kind: SEND_RECEIPT_JOB, merchantId, subjectId, realTime: true }, due: ctx.now() };
}
