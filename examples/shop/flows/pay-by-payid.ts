import type { Order } from "../orders/order.ts";
import type { Shop } from "../shop.ts";

/** PayID: the payer transfers the exact amount from a bank's app. Gives the page that shows where to. */
export async function payByPayId({ tidegate, book }: Shop, order: Order): Promise<string> {
  const request = await tidegate.paymentRequests.create(
    {
      reference: order.id,
      payment: {
        amount: order.basket.total,
        description: "Driftwood Coffee",
        // Ours to choose, and unique among all open requests of the gateway. An earlier one of this order has ended.
        instrument: { payId: { type: "single", value: order.id } },
      },
    },
    { idempotencyKey: `${order.id}-${order.payments.length}` },
  );
  const payId = request.payment.instrument?.payId.email ?? "";
  book.addPayment(order.id, {
    method: "payid",
    paymentRequestId: request.id,
    payId,
    status: "open",
    refunds: [],
  });
  return `/orders/${order.id}`;
}
