import type { UpdatePaymentInput } from "@medusajs/framework/types";
import { MedusaError } from "@medusajs/framework/utils";
import { type Connection, keyOf } from "./connection.ts";
import { endRequest } from "./end-payment.ts";
import { centsOf, currencyOf } from "./money.ts";
import { readPayment } from "./payment-state.ts";
import type { SessionData } from "./session-data.ts";
import { sessionOf, startPayment } from "./start-payment.ts";

/**
 * A payment request's amount is fixed: another amount needs another request, and the first one is cancelled before, so that
 * only one of them can be paid. The same amount keeps the request and gets a new token.
 */
export async function updatePayment(connection: Connection, input: UpdatePaymentInput): Promise<SessionData> {
  const amount = centsOf(input.amount, { round: connection.options.roundToCents === true });
  const currency = currencyOf(input.currency_code);
  const state = await readPayment(connection, input.data);
  const { session, request, transaction } = state;
  if (transaction !== undefined) {
    throw new MedusaError(
      MedusaError.Types.NOT_ALLOWED,
      `Payment session ${session.session_id} is paid already: its amount cannot change.`,
    );
  }
  const isSame = session.amount === amount && session.currency_code === currency;
  if (isSame && request.paymentRequestStatus === "created") {
    return sessionOf(connection, session.session_id, request);
  }
  await endRequest(connection, state);
  return startPayment(connection, {
    sessionId: session.session_id,
    amount,
    currency,
    locale: request.locale,
    idempotencyKey: keyOf("update", request.id, amount, currency),
  });
}
