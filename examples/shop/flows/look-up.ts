import type { PaymentRequest, Tidegate, Transaction } from "@tidegate/client";
import type { Order, Payment } from "../orders/order.ts";
import type { Shop } from "../shop.ts";

/**
 * Asks the gateway how an order's payments stand and writes that down. This is the only place where a payment becomes
 * `approved`: what a browser says is for display, and what a webhook says is a reason to ask.
 */
export async function lookUpOrder(shop: Shop, orderId: string): Promise<void> {
  const order = shop.book.find(orderId);
  if (order === undefined) return;
  const payments = await Promise.all(order.payments.map((payment) => lookUp(shop, order, payment)));
  shop.book.change(orderId, (now) => ({
    ...now,
    payments: now.payments.map((payment, at) => merged(payment, payments[at])),
  }));
}

/** What was begun while we asked, a try or a refund, is not in the answers and stays as it is. */
function merged(now: Payment, found: Payment | undefined): Payment {
  if (found === undefined) return now;
  const refunds = now.refunds.map((refund) => found.refunds.find(({ id }) => id === refund.id) ?? refund);
  return { ...found, refunds };
}

async function lookUp(shop: Shop, order: Order, payment: Payment): Promise<Payment> {
  const { tidegate } = shop;
  if (payment.paymentRequestId === undefined) {
    if (payment.transactionId === undefined) return payment;
    return withTransaction(tidegate, order, payment, await tidegate.transactions.get(payment.transactionId));
  }
  const request = await tidegate.paymentRequests.get(payment.paymentRequestId);
  if (request.paymentRequestStatus === "created") return payment;
  if (request.paymentRequestStatus !== "completed") return { ...payment, status: "ended" };
  await rememberCard(shop, order, request);
  // Completed without a transaction that succeeded: the last attempt says why.
  const transactionId = request.transactionResult?.id ?? request.transactionAttempts?.at(-1)?.id;
  if (transactionId === undefined) return { ...payment, status: "ended" };
  return withTransaction(tidegate, order, payment, await tidegate.transactions.get(transactionId));
}

async function withTransaction(
  tidegate: Tidegate,
  order: Order,
  payment: Payment,
  transaction: Transaction,
): Promise<Payment> {
  // What was paid must be what we asked for; anything else is for a person to look at.
  if (transaction.payment.amount !== order.basket.total) throw new Error(`${order.id}: paid another amount`);
  const refunds = await Promise.all(
    payment.refunds.map(async ({ id }) => {
      const refund = await tidegate.transactions.refunds.get(transaction.id, id);
      return { id, status: refund.result.status };
    }),
  );
  const { reason: _, ...rest } = payment;
  const { status, codes } = transaction.result;
  return {
    ...rest,
    transactionId: transaction.id,
    status,
    ...(status === "declined" ? { reason: codes?.[0]?.message ?? "declined" } : {}),
    refunds,
  };
}

/** After a checkout that stored the card: what we need to charge it again. */
async function rememberCard({ tidegate, book }: Shop, order: Order, request: PaymentRequest): Promise<void> {
  const made = request.customerResult;
  if (
    made === undefined ||
    book.shopper(order.shopper).card?.paymentInstrumentId === made.paymentInstrumentId
  )
    return;
  const { card } = await tidegate.paymentInstruments.get(made.id, made.paymentInstrumentId);
  const label = card === undefined ? "card" : `${card.cardType} ending in ${card.last4}`;
  book.changeShopper(order.shopper, {
    card: { customerId: made.id, paymentInstrumentId: made.paymentInstrumentId, label },
  });
}
