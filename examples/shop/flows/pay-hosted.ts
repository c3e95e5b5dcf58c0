import { readFileSync } from "node:fs";
import type { Order } from "../orders/order.ts";
import type { Shop } from "../shop.ts";

const LOGO = `data:image/svg+xml;base64,${readFileSync(new URL("../static/logo.svg", import.meta.url)).toString("base64")}`;

/** Hosted page: the payer goes to the gateway's page and comes back afterwards. Returns that page's URL. */
export async function payHosted({ tidegate, orders, settings }: Shop, order: Order): Promise<string> {
  const { lines, shipping, total } = order.basket;
  const request = await tidegate.paymentRequests.create(
    {
      reference: order.id,
      payment: { amount: total, description: "Coffee, by post" },
      hostedPaymentPage: {
        merchantName: "Driftwood Coffee",
        logo: LOGO,
        lineItems: lines.map(({ title, price, quantity }) => ({ title, amount: price, quantity })),
        // Lines and adjustments have to add up to the amount, to the cent.
        adjustments:
          shipping === 0 ? [] : [{ title: "Shipping", amount: shipping, adjustmentType: "Shipping" }],
        resultPage: "redirect",
        redirectUrl: `${settings.url}/orders/${order.id}`,
        attempts: 2,
      },
    },
    { idempotencyKey: `${order.id}-${order.payments.length}` },
  );
  orders.addPayment(order.id, {
    method: "hosted",
    paymentRequestId: request.id,
    status: "open",
    refunds: [],
  });
  // Always use the gateway's URL; never build it.
  return request.hostedPaymentPage?.url ?? `/orders/${order.id}`;
}
