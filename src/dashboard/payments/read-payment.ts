import type { Merchant } from "../../features/merchants/index.ts";
import { getPaymentRequest, type PaymentRequest } from "../../features/payment-requests/index.ts";
import { findTransaction, type Transaction } from "../../features/transactions/index.ts";
import { type Id, parseId, requireId } from "../../kernel/ids.ts";
import { refuse } from "../../kernel/refusal.ts";
import type { Context } from "../../platform/context.ts";
import {
  type DeliveryFacts,
  deliveriesOf,
  type EventFacts,
  eventsOf,
  type LineFacts,
  linesOf,
  type OperationFacts,
  operationsUnderWay,
  type RefundFacts,
  refundsOf,
  type TokenFacts,
  type TransferFacts,
  tokensOf,
  transactionOfRefund,
  transactionsOfRequest,
  transfersOf,
} from "./queries.ts";

/** All that is on record of one payment: its request, if it has one, every attempt, and what followed. */
export type Payment = {
  readonly request: PaymentRequest | undefined;
  /** Newest first. */
  readonly transactions: readonly Transaction[];
  readonly refunds: readonly RefundFacts[];
  readonly tokens: readonly TokenFacts[];
  readonly transfers: readonly TransferFacts[];
  readonly lines: readonly LineFacts[];
  /** Captures and voids that wait for the acquirer. */
  readonly operations: readonly OperationFacts[];
  readonly events: readonly EventFacts[];
  readonly deliveries: readonly DeliveryFacts[];
};

export async function readPaymentOfRequest(ctx: Context, merchant: Merchant, text: string): Promise<Payment> {
  const request = await getPaymentRequest(ctx, merchant, requireId("paymentRequest", text));
  return readPayment(ctx, merchant.id, request, await transactionsOfRequest(ctx.db, merchant.id, request.id));
}

export async function readPaymentOfTransaction(
  ctx: Context,
  merchant: Merchant,
  text: string,
): Promise<Payment> {
  const id = parseId("transaction", text) ?? refuse("resource_not_found");
  const transaction = (await findTransaction(ctx.db, merchant.id, id)) ?? refuse("resource_not_found");
  if (transaction.paymentRequestId !== null)
    return readPaymentOfRequest(ctx, merchant, transaction.paymentRequestId);
  return readPayment(ctx, merchant.id, undefined, [id]);
}

async function readPayment(
  { db }: Context,
  merchantId: Id<"merchant">,
  request: PaymentRequest | undefined,
  ids: readonly Id<"transaction">[],
): Promise<Payment> {
  const [found, operations, refunds, tokens, transfers] = await Promise.all([
    Promise.all(ids.map((id) => findTransaction(db, merchantId, id))),
    operationsUnderWay(db, merchantId, ids),
    refundsOf(db, merchantId, ids),
    request === undefined ? [] : tokensOf(db, merchantId, request.id),
    request === undefined ? [] : transfersOf(db, merchantId, request.id),
  ]);
  const refundIds = refunds.map(({ id }) => id);
  const resources = [...(request === undefined ? [] : [request.id]), ...ids, ...refundIds];
  const [events, lines] = await Promise.all([
    eventsOf(db, merchantId, resources),
    linesOf(db, merchantId, [...ids, ...refundIds]),
  ]);
  const eventIds = events.map(({ id }) => id);
  return {
    request,
    transactions: found.filter((one) => one !== undefined),
    operations,
    refunds,
    tokens,
    transfers,
    lines,
    events,
    deliveries: await deliveriesOf(db, merchantId, eventIds),
  };
}

/** Refunds have no page: they are part of their transaction's. */
export async function refundPlace(
  { db }: Pick<Context, "db">,
  { id: merchantId }: Pick<Merchant, "id">,
  text: string,
): Promise<{ readonly id: string; readonly transactionId: string }> {
  const id = parseId("refund", text) ?? refuse("resource_not_found");
  return (await transactionOfRefund(db, merchantId, id)) ?? refuse("resource_not_found");
}

export async function deliveriesOfEvent(
  { db }: Pick<Context, "db">,
  { id: merchantId }: Pick<Merchant, "id">,
  id: Id<"event">,
): Promise<readonly DeliveryFacts[]> {
  return deliveriesOf(db, merchantId, [id]);
}
