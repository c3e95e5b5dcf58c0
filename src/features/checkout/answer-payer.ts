import type { Handover } from "../../connectors/ports/three-d-secure.ts";
import { refuse } from "../../kernel/refusal.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import { asPayerSees } from "../card-testing/index.ts";
import type { Merchant } from "../merchants/index.ts";
import { attemptsLeft, findPaymentRequest, isOverdue } from "../payment-requests/index.ts";
import { findTransaction, presentOutcome, type Transaction } from "../transactions/index.ts";

/** The answer to the payer's frame or page. */
export type PayAnswer = {
  readonly state: "approved" | "declined" | "pending" | "method" | "challenge" | "none";
  readonly transactionId?: string;
  /** Of a partial approval: what was charged instead of the total. */
  readonly charged?: number;
  /** The bank looks at the payer's browser: the frame posts this in a hidden frame, then continues. */
  readonly method?: BankStep;
  readonly challenge?: BankStep;
  /** Of a declined attempt in the frame: how many the payer still has. */
  readonly attemptsLeft?: number;
  /** For a hosted page without an attempt: whether the payer can still make one. */
  readonly open?: boolean;
  readonly result: object;
};

/** A step at the bank, and what the browser keeps until it returns. */
type BankStep = Handover & { readonly sealed: string };

export async function getAnswer(ctx: Context, merchant: Merchant, id: Transaction["id"]): Promise<PayAnswer> {
  const attempt = (await findTransaction(ctx.db, merchant.id, id)) ?? refuse("checkout_session_refused");
  return answerFor(ctx, attempt, merchant);
}

export async function answerFor(ctx: Context, attempt: Transaction, merchant: Merchant): Promise<PayAnswer> {
  const seen = await asPayerSees(ctx, merchant, attempt);
  const { status, approvedAmount } = seen;
  return {
    state: status,
    transactionId: attempt.id,
    ...(status === "approved" && approvedAmount !== null ? { charged: approvedAmount } : {}),
    ...(status === "declined" ? await retriesOf(ctx, merchant, attempt) : {}),
    result: presentOutcome(seen, merchant.mode, ctx.settings),
  };
}

/** Empty when the payer has no attempt left in the frame. */
async function retriesOf(
  ctx: Context,
  merchant: Merchant,
  { paymentRequestId }: Transaction,
): Promise<Pick<PayAnswer, "attemptsLeft">> {
  const request = paymentRequestId && (await findPaymentRequest(ctx.db, merchant.id, paymentRequestId));
  if (!request) return {};
  if (request.flow !== "checkout" || isOverdue(request, clockOf(ctx, merchant))) return {};
  const left = attemptsLeft(request);
  return left > 0 ? { attemptsLeft: left } : {};
}
