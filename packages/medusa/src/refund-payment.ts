import type { RefundPaymentInput } from "@medusajs/framework/types";
import { MedusaError } from "@medusajs/framework/utils";
import type { Refund } from "@tidegate/client";
import { type Connection, keyOf } from "./connection.ts";
import { centsOf } from "./money.ts";
import { type PaymentState, readPayment } from "./payment-state.ts";
import { SESSION_KEY } from "./start-payment.ts";

const ANSWER_WITHIN_MS = 10_000;
const PAUSE_MS = 250;

/**
 * Refunds the amount that Medusa names. Medusa counts a refund as done when this returns, so it waits for the acquirer's
 * answer; one that takes longer is reported by a webhook.
 */
export async function refundPayment(
  connection: Connection,
  { data, amount, context }: RefundPaymentInput,
): Promise<PaymentState> {
  const { tidegate, options } = connection;
  const state = await readPayment(connection, data);
  if (state.transaction === undefined) throw notRefunded("nothing was paid");
  const cents = centsOf(amount, { round: options.roundToCents === true });
  const { id } = await tidegate.transactions.refund(
    state.transaction.id,
    { payment: { amount: cents }, metadata: { [SESSION_KEY]: state.session.session_id } },
    { idempotencyKey: keyOf("refund", context?.idempotency_key) },
  );
  const refund = await finalRefund(connection, id);
  if (refund.result.status === "declined") {
    throw notRefunded(`the acquirer declined it (${refund.result.codes?.[0]?.id ?? "no code"})`);
  }
  return { ...state, transaction: await tidegate.transactions.get(state.transaction.id) };
}

async function finalRefund({ tidegate }: Connection, id: string): Promise<Refund> {
  const until = Date.now() + ANSWER_WITHIN_MS;
  for (;;) {
    const refund = await tidegate.refunds.get(id);
    if (refund.result.status !== "pending" || Date.now() > until) return refund;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

function notRefunded(why: string): MedusaError {
  return new MedusaError(MedusaError.Types.NOT_ALLOWED, `Not refunded: ${why}.`);
}
