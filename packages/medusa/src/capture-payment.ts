import type { CapturePaymentInput } from "@medusajs/framework/types";
import { MedusaError } from "@medusajs/framework/utils";
import { type Connection, keyOf } from "./connection.ts";
import { type PaymentState, readPayment } from "./payment-state.ts";

/**
 * Captures the whole authorisation, its surcharge included: Medusa does not say how much, and an authorisation is captured
 * once. If it is captured already, automatically or by an earlier call, there is nothing to do.
 */
export async function capturePayment(
  connection: Connection,
  { data, context }: CapturePaymentInput,
): Promise<PaymentState> {
  const state = await readPayment(connection, data);
  const { transaction, status, session } = state;
  if (status === "captured") return state;
  if (transaction === undefined || status !== "authorized") {
    throw notCaptured(`payment session ${session.session_id} is not authorised`);
  }
  const idempotencyKey = keyOf("capture", context?.idempotency_key);
  const captured = await connection.tidegate.transactions.capture(transaction.id, {}, { idempotencyKey });
  if (captured.captureStatus === "captured") return { ...state, transaction: captured, status: "captured" };
  throw notCaptured(
    captured.result.status === "pending"
      ? "the acquirer has not answered yet; try again"
      : `the acquirer declined it (${captured.result.codes?.map(({ id }) => id).join(", ") ?? "no code"})`,
  );
}

function notCaptured(why: string): MedusaError {
  return new MedusaError(MedusaError.Types.NOT_ALLOWED, `Not captured: ${why}.`);
}
