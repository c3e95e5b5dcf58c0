import type { Order } from "../orders/order.ts";
import type { Shop } from "../shop.ts";
import { ATTEMPTS } from "./pay-embedded.ts";

/** Verification: stores a card without charging it, for a trial or in place of an old one. The order is empty. */
export async function saveCard({ tidegate, orders }: Shop, order: Order): Promise<string> {
  const { card } = orders.payer(order.payer);
  const request = await tidegate.paymentRequests.create(
    {
      reference: order.id,
      payment: { amount: 0 },
      paymentMethods: ["card"],
      transactionRequest: { attempts: ATTEMPTS },
      customerRequest: {
        paymentInstrument: "create",
        ...(card === undefined ? {} : { id: card.customerId }),
      },
    },
    { idempotencyKey: `${order.id}-${order.payments.length}` },
  );
  orders.addPayment(order.id, {
    method: "verify",
    paymentRequestId: request.id,
    status: "open",
    refunds: [],
  });
  return `/orders/${order.id}/pay`;
}
