import type { PaymentSessionStatus } from "@medusajs/framework/types";
import { MedusaError } from "@medusajs/framework/utils";
import type { PaymentRequest, Transaction } from "@tidegate/client";
import type { Connection } from "./connection.ts";
import { type SessionData, sessionDataOf } from "./session-data.ts";
import { SESSION_KEY } from "./start-payment.ts";

/** A session's payment as the gateway knows it now. */
export type PaymentState = {
  readonly session: SessionData;
  readonly request: PaymentRequest;
  /** The approved one. */
  readonly transaction: Transaction | undefined;
  readonly status: PaymentSessionStatus;
};

export async function readPayment(
  { tidegate }: Connection,
  data: Readonly<Record<string, unknown>> | undefined,
): Promise<PaymentState> {
  const session = sessionDataOf(data);
  const request = await tidegate.paymentRequests.get(session.payment_request_id);
  refuseForeign(session, request);
  const approved = request.transactionResult;
  const transaction = approved === undefined ? undefined : await tidegate.transactions.get(approved.id);
  return { session, request, transaction, status: statusOf(request, transaction) };
}

/** A payment pays its own session only, and all of it. */
function refuseForeign(session: SessionData, { metadata, payment }: PaymentRequest): void {
  const isOwn = metadata?.[SESSION_KEY] === session.session_id;
  if (isOwn && payment.amount === session.amount && payment.currencyCode === session.currency_code) return;
  throw new MedusaError(
    MedusaError.Types.NOT_ALLOWED,
    `Payment request ${session.payment_request_id} does not belong to payment session ${session.session_id}.`,
  );
}

/** Medusa's word for it. `error` and `canceled` need a new session; the payer can still pay a `pending` one. */
function statusOf(
  { paymentRequestStatus }: PaymentRequest,
  transaction: Transaction | undefined,
): PaymentSessionStatus {
  if (transaction !== undefined) return statusOfTransaction(transaction);
  if (paymentRequestStatus === "created") return "pending";
  return paymentRequestStatus === "completed" ? "error" : "canceled";
}

function statusOfTransaction({ result, captureStatus }: Transaction): PaymentSessionStatus {
  if (result.status === "declined") return "error";
  if (captureStatus === "captured") return "captured";
  return captureStatus === "uncaptured" ? "authorized" : "canceled";
}

/** What Medusa stores from now on: only fields of this provider, and the transaction once there is one. */
export function dataOf({ session, transaction }: PaymentState): Record<string, unknown> {
  const card = transaction?.payment.instrument.card;
  const data: SessionData = {
    session_id: session.session_id,
    payment_request_id: session.payment_request_id,
    amount: session.amount,
    currency_code: session.currency_code,
    hosted_url: session.hosted_url,
    token: transaction === undefined ? session.token : null,
    token_expires_at: transaction === undefined ? session.token_expires_at : null,
    payment_page_url: session.payment_page_url,
    transaction_id: transaction?.id ?? null,
    card: card === undefined ? null : { brand: card.cardType, last4: card.last4 },
  };
  return data;
}
