import type { ProviderWebhookPayload, WebhookActionResult } from "@medusajs/framework/types";
import { MedusaError } from "@medusajs/framework/utils";
import {
  type PaymentRequest,
  type Refund,
  type Transaction,
  verifyWebhook,
  WebhookRejected,
} from "@tidegate/client";
import type { Connection } from "./connection.ts";
import { dollarsOf } from "./money.ts";
import { SESSION_KEY } from "./start-payment.ts";

/**
 * Medusa verifies an event when its queue comes to it, not when it arrives. A repeated event changes nothing, so an hour is
 * safe.
 */
const OLDEST_SECONDS = 3_600;

const IGNORED: WebhookActionResult = { action: "not_supported" };

/** Verifies the signature over the bytes that arrived, then says what the event means for the session. */
export function webhookAction(
  { options, warn }: Connection,
  { rawData, headers }: ProviderWebhookPayload["payload"],
): WebhookActionResult {
  const event = verified(() =>
    verifyWebhook({
      body: rawData,
      headers: headers as Record<string, string>,
      key: options.webhookSigningKey,
      maxAgeSeconds: OLDEST_SECONDS,
    }),
  );
  if (event.event === "payment_requests") return actionOfRequest(event.payload);
  if (event.event !== "transactions") return IGNORED;
  if (!isRefund(event.payload)) return actionOfTransaction(event.payload);
  if (event.payload.result.status === "declined") warn(declinedRefund(event.payload));
  return IGNORED;
}

function verified<Event>(verify: () => Event): Event {
  try {
    return verify();
  } catch (error) {
    if (!(error instanceof WebhookRejected)) throw error;
    throw new MedusaError(MedusaError.Types.UNAUTHORIZED, `Tidegate's webhook is refused: ${error.reason}.`);
  }
}

/** A request that was not made by this provider has no session. */
function actionOfRequest({
  metadata,
  payment,
  paymentRequestStatus,
  transactionRequest,
  transactionResult,
}: PaymentRequest): WebhookActionResult {
  const session = metadata?.[SESSION_KEY];
  if (session === undefined || paymentRequestStatus === "created") return IGNORED;
  const data = { session_id: session, amount: dollarsOf(payment.amount) };
  if (paymentRequestStatus !== "completed") return { action: "canceled", data };
  if (transactionResult === undefined) return { action: "failed", data };
  const isCaptured = transactionRequest?.category.captureType !== "manual";
  return { action: isCaptured ? "captured" : "authorized", data };
}

/** What happens to an authorisation later, outside Medusa: captured on the gateway's dashboard, or expired. */
function actionOfTransaction({
  metadata,
  category,
  payment,
  captureStatus,
}: Transaction): WebhookActionResult {
  const session = metadata?.[SESSION_KEY];
  if (session === undefined || category.captureType !== "manual") return IGNORED;
  if (captureStatus === "captured") {
    // Medusa's amounts have no surcharge.
    const amount = dollarsOf(Math.min(payment.capturedAmount, payment.amount));
    return { action: "captured", data: { session_id: session, amount } };
  }
  if (captureStatus !== "voided" && captureStatus !== "expired") return IGNORED;
  return { action: "canceled", data: { session_id: session, amount: dollarsOf(payment.amount) } };
}

function isRefund(payload: Transaction | Refund): payload is Refund {
  return payload.category.method === "refund";
}

function declinedRefund({ id, metadata, payment }: Refund): string {
  const session = metadata?.[SESSION_KEY] ?? "unknown";
  return `Tidegate: refund ${id} of ${dollarsOf(payment.amount)} ${payment.currencyCode} was declined. If Medusa shows it as refunded (payment session ${session}), return the money in another way.`;
}
