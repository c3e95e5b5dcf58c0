import type { Order } from "../orders/order.ts";
import type { SavedCard } from "../orders/order-store.ts";
import type { Shop } from "../shop.ts";

/** Recurring charge of a stored card, without the payer. A decline is a normal answer. */
export async function paySavedCard(
  { tidegate, orders }: Shop,
  order: Order,
  card: SavedCard,
): Promise<string> {
  const { customerId: id, paymentInstrumentId } = card;
  const transaction = await tidegate.transactions.create(
    {
      reference: order.id,
      category: { origin: "internet", frequency: "recurring", captureType: "auto" },
      payment: { amount: order.basket.total, instrument: { customer: { id, paymentInstrumentId } } },
    },
    { idempotencyKey: `${order.id}-${order.payments.length}` },
  );
  const { status, codes } = transaction.result;
  orders.addPayment(order.id, {
    method: "saved",
    transactionId: transaction.id,
    status,
    ...(status === "declined" ? { reason: codes?.[0]?.message ?? "declined" } : {}),
    refunds: [],
  });
  return `/orders/${order.id}`;
}
