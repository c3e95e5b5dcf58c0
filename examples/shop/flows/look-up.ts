import type { PaymentRequest, Tidegate, Transaction } from "@tidegate/client";
import type { Order, Payment } from "../orders/order.ts";
import type { Shop } from "../shop.ts";

/**
 * Reads the state of an order's payments from the gateway and stores it. Only here does a payment become `approved`: a
 * browser's event is for display, and a webhook is a reason to look up.
 */
export async function lookUpOrder(shop: Shop, orderId: string): Promise<void> {
  const order = shop.orders.find(orderId);
  if (order === undefined) return;
  const payments = await Promise.all(order.payments.map((payment) => lookUp(shop, order, payment)));
  shop.orders.change(orderId, (now) => ({
    ...now,
    payments: now.payments.map((payment, at) => merged(payment, payments[at])),
  }));
}

/** Keeps payments and refunds that started during the lookup: the answers do not have them. */
function merged(now: Payment, latest: Payment | undefined): Payment {
  if (latest === undefined) return now;
  const refunds = now.refunds.map((refund) => latest.refunds.find(({ id }) => id === refund.id) ?? refund);
  return { ...latest, refunds };
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
  // Completed without an approved transaction: the last attempt has the reason.
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
  // The paid amount must match the order; a mismatch needs a person's attention.
  if (transaction.payment.amount !== order.basket.total) throw new Error(`${order.id}: paid another amount`);
  const refunds = await Promise.all(
    payment.refunds.map(async ({ id }) => {
      const refund = await tidegate.transactions.refunds.get(transaction.id, id);
      return { id, status: refund.result.status };
    }),
  );
  const { reason: _, ...rest } = payment;
  const { status, codes } = transaction.result;
  const disputed = await tidegate.disputes.list({ transactionid: transaction.id, limit: 1 });
  const [dispute] = disputed.disputes;
  return {
    ...rest,
    transactionId: transaction.id,
    status,
    ...(dispute === undefined ? {} : { dispute: { id: dispute.id, status: dispute.status } }),
    ...(status === "declined" ? { reason: codes?.[0]?.message ?? "declined" } : {}),
    refunds,
  };
}

/** Keeps the ids that are needed to charge a stored card again. */
async function rememberCard(
  { tidegate, orders }: Shop,
  order: Order,
  request: PaymentRequest,
): Promise<void> {
  const made = request.customerResult;
  if (made === undefined || orders.payer(order.payer).card?.paymentInstrumentId === made.paymentInstrumentId)
    return;
  const { card } = await tidegate.paymentInstruments.get(made.id, made.paymentInstrumentId);
  const label = card === undefined ? "card" : `${brandOf(card.cardType)} ending in ${card.last4}`;
  orders.changePayer(order.payer, {
    card: { customerId: made.id, paymentInstrumentId: made.paymentInstrumentId, label },
  });
}

const BRANDS: Readonly<Record<string, string>> = {
  amex: "American Express",
  diners: "Diners Club",
  eftpos: "eftpos",
  jcb: "JCB",
  unionpay: "UnionPay",
};

/** As its owner writes it. */
function brandOf(cardType: string): string {
  return BRANDS[cardType] ?? cardType.charAt(0).toUpperCase() + cardType.slice(1);
}
