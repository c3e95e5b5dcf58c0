import { MedusaError } from "@medusajs/framework/utils";
import { type Connection, keyOf } from "./connection.ts";
import { type PaymentState, readPayment } from "./payment-state.ts";

/** Cancels the payment request if it is open; the payer can then no longer pay it. */
export async function endRequest({ tidegate }: Connection, { request }: PaymentState): Promise<void> {
  if (request.paymentRequestStatus !== "created") return;
  await tidegate.paymentRequests.cancel(request.id, { idempotencyKey: keyOf("end", request.id) });
}

/**
 * Ends a session that Medusa deletes. One that is paid, or being paid, is refused: Medusa keeps it, and the cart is completed
 * with it instead of leaving the payer charged and without an order.
 */
export async function deletePayment(
  connection: Connection,
  data: Readonly<Record<string, unknown>> | undefined,
): Promise<void> {
  const state = await readPayment(connection, data);
  if (state.status === "authorized" || state.status === "captured") {
    throw new MedusaError(
      MedusaError.Types.NOT_ALLOWED,
      `Payment session ${state.session.session_id} is paid. Complete its cart, or refund the payment.`,
    );
  }
  await endRequest(connection, state);
}

/** Releases the payer's money. What was captured cannot be released: Medusa refunds it, with a record of its own. */
export async function cancelPayment(
  connection: Connection,
  data: Readonly<Record<string, unknown>> | undefined,
): Promise<PaymentState> {
  const { tidegate } = connection;
  const state = await readPayment(connection, data);
  const { transaction, status } = state;
  if (transaction === undefined) {
    await endRequest(connection, state);
    return state;
  }
  if (status === "captured") {
    throw new MedusaError(
      MedusaError.Types.NOT_ALLOWED,
      `Transaction ${transaction.id} is captured. Refund it instead of cancelling it.`,
    );
  }
  if (status !== "authorized") return state;
  // The client generates this key: Medusa's is the same after a decline, and a repeat under it would change nothing.
  const voided = await tidegate.transactions.cancel(transaction.id);
  if (voided.captureStatus !== "voided") throw notVoided(voided.result.status, transaction.id);
  return { ...state, transaction: voided, status: "canceled" };
}

function notVoided(status: string, id: string): Error {
  const why =
    status === "pending" ? "the acquirer has not answered yet; try again" : "the acquirer declined that";
  return new MedusaError(MedusaError.Types.NOT_ALLOWED, `Transaction ${id} is not cancelled: ${why}.`);
}
