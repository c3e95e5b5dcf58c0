import type { RefundPaymentInput } from "@medusajs/framework/types";
import { MedusaError } from "@medusajs/framework/utils";
import { type Refund, TidegateConnectionError, TidegateError } from "@tidegate/client";
import { type Connection, keyOf } from "./connection.ts";
import { centsOf } from "./money.ts";
import { type PaymentState, readPayment } from "./payment-state.ts";
import { SESSION_KEY } from "./start-payment.ts";

const ANSWER_WITHIN_MS = 10_000;
const PAUSE_MS = 250;

/**
 * Refunds the amount that Medusa names. Medusa counts a refund as done when this returns, so it waits for the acquirer's
 * answer; one that takes longer, or cannot be read, is reported by a webhook. Medusa deletes its record when this throws, and a
 * repeat has a new key: so it throws only if no money was or will be returned, or its message says what to check.
 */
export async function refundPayment(
  connection: Connection,
  { data, amount, context }: RefundPaymentInput,
): Promise<PaymentState> {
  const { tidegate, options } = connection;
  const state = await readPayment(connection, data);
  if (state.transaction === undefined) throw notRefunded("nothing was paid");
  const { id } = state.transaction;
  const cents = centsOf(amount, { round: options.roundToCents === true });
  const made = await tidegate.transactions
    .refund(
      id,
      { payment: { amount: cents }, metadata: { [SESSION_KEY]: state.session.session_id } },
      { idempotencyKey: keyOf("refund", context?.idempotency_key) },
    )
    .catch((error: unknown) => {
      throw isUnknown(error) ? maybeRefunded(error, id) : error;
    });
  const { status, codes } = (await outcomeOf(connection, made, id)).result;
  if (status === "declined") throw notRefunded(`the acquirer declined it (${codes?.[0]?.id ?? "no code"})`);
  return state;
}

/** The refund when it is final, or as it was last read. */
async function outcomeOf(
  { tidegate, warn }: Connection,
  made: Refund,
  transactionId: string,
): Promise<Refund> {
  const until = Date.now() + ANSWER_WITHIN_MS;
  let refund = made;
  try {
    while (refund.result.status === "pending" && Date.now() < until) {
      refund = await tidegate.refunds.get(made.id, { giveUpAfterMs: ANSWER_WITHIN_MS });
      if (refund.result.status === "pending") await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    warn(
      `Tidegate: refund ${made.id} of transaction ${transactionId} was made, and its outcome could not be read (${why}). A webhook reports it; do not refund again.`,
    );
  }
  return refund;
}

function isUnknown(error: unknown): error is TidegateError | TidegateConnectionError {
  const isFailure = error instanceof TidegateError || error instanceof TidegateConnectionError;
  return isFailure && error.outcomeUnknown;
}

function maybeRefunded({ message }: Error, transactionId: string): MedusaError {
  return new MedusaError(
    MedusaError.Types.UNEXPECTED_STATE,
    `Tidegate: ${message}. The refund may have been made: check transaction ${transactionId} on the gateway's dashboard before you refund again.`,
  );
}

function notRefunded(why: string): MedusaError {
  return new MedusaError(MedusaError.Types.NOT_ALLOWED, `Not refunded: ${why}.`);
}
