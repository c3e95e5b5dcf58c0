import type { Merchant } from "../../features/merchants/index.ts";
import { getPaymentRequest, type PaymentRequest } from "../../features/payment-requests/index.ts";
import { findTransaction, type Transaction } from "../../features/transactions/index.ts";
import type { Id } from "../../kernel/ids.ts";
import { refuse } from "../../kernel/refusal.ts";
import type { Context } from "../../platform/context.ts";
import { type Delivery, deliveriesOf, type EventWithBody, eventsOf } from "../events/queries.ts";
import {
  type DisputeFacts,
  disputesOf,
  type LineFacts,
  linesOf,
  type OperationFacts,
  operationsOf,
  type RefundFacts,
  refundsOf,
  type TokenFacts,
  type TransferFacts,
  tokensOf,
  transactionsOfRequest,
  transfersOf,
} from "./queries.ts";

/** Everything on record of one payment: its request, if it has one, every attempt, and what followed. */
export type Payment = {
  readonly request: PaymentRequest | undefined;
  /** Newest first. */
  readonly transactions: readonly Transaction[];
  readonly refunds: readonly RefundFacts[];
  readonly disputes: readonly DisputeFacts[];
  readonly tokens: readonly TokenFacts[];
  readonly transfers: readonly TransferFacts[];
  readonly lines: readonly LineFacts[];
  /** Unanswered and declined ones, and reversals of late approvals. */
  readonly operations: readonly OperationFacts[];
  readonly events: readonly EventWithBody[];
  readonly deliveries: readonly Delivery[];
};

export async function readPaymentOfRequest(
  ctx: Context,
  merchant: Merchant,
  id: Id<"paymentRequest">,
): Promise<Payment> {
  const request = await getPaymentRequest(ctx, merchant, id);
  return readPayment(ctx, merchant, request, await transactionsOfRequest(ctx.db, merchant.id, request.id));
}

export async function readPaymentOfTransaction(
  ctx: Context,
  merchant: Merchant,
  id: Id<"transaction">,
): Promise<Payment> {
  const transaction = (await findTransaction(ctx.db, merchant.id, id)) ?? refuse("resource_not_found");
  if (transaction.paymentRequestId !== null)
    return readPaymentOfRequest(ctx, merchant, transaction.paymentRequestId);
  return readPayment(ctx, merchant, undefined, [id]);
}

async function readPayment(
  { db }: Context,
  merchant: Merchant,
  request: PaymentRequest | undefined,
  ids: readonly Id<"transaction">[],
): Promise<Payment> {
  const [found, operations, refunds, disputes, tokens, transfers] = await Promise.all([
    Promise.all(ids.map((id) => findTransaction(db, merchant.id, id))),
    operationsOf(db, merchant.id, ids),
    refundsOf(db, merchant.id, ids),
    disputesOf(db, merchant.id, ids),
    request === undefined ? [] : tokensOf(db, merchant.id, request.id),
    request === undefined ? [] : transfersOf(db, merchant.id, request.id),
  ]);
  const moved = [...ids, ...[...refunds, ...disputes].map(({ id }) => id)];
  const resources = [...(request === undefined ? [] : [request.id]), ...moved];
  const [events, lines] = await Promise.all([
    eventsOf(db, merchant.id, resources),
    linesOf(db, merchant.id, moved),
  ]);
  const eventIds = events.map(({ id }) => id);
  return {
    request,
    transactions: found.filter((one) => one !== undefined),
    operations,
    refunds,
    disputes,
    tokens,
    transfers,
    lines,
    events,
    deliveries: await deliveriesOf(db, merchant, eventIds),
  };
}
