import type { Order } from "../orders/order.ts";
import type { Shop } from "../shop.ts";

/** PayID: the payer transfers the exact amount from a bank's app. Returns the page that shows the PayID. */
export async function payByPayId({ tidegate, orders }: Shop, order: Order): Promise<string> {
  const request = await tidegate.paymentRequests.create(
    {
      reference: order.id,
      payment: {
        amount: order.basket.total,
        description: "Driftwood Coffee",
        // The shop chooses it, unique among the gateway's open requests. An earlier one of this order is closed.
        instrument: { payId: { type: "single", value: order.id } },
      },
    },
    { idempotencyKey: `${order.id}-${order.payments.length}` },
  );
  const payId = request.payment.instrument?.payId.email ?? "";
  orders.addPayment(order.id, {
    method: "payid",
    paymentRequestId: request.id,
    payId,
    status: "open",
    refunds: [],
  });
  return `/orders/${order.id}`;
}
