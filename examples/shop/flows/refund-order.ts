import type { Order } from "../orders/order.ts";
import type { Shop } from "../shop.ts";

/** Refunds the full amount. The answer is `pending`; a webhook reports the outcome. */
export async function refundOrder({ tidegate, orders }: Shop, order: Order): Promise<void> {
  const paid = order.payments.find(({ status }) => status === "approved");
  if (paid?.transactionId === undefined) return;
  const refund = await tidegate.transactions.refund(
    paid.transactionId,
    { reference: order.id },
    { idempotencyKey: `${order.id}-refund-${paid.refunds.length}` },
  );
  const known = { id: refund.id, status: refund.result.status };
  orders.change(order.id, (now) => ({
    ...now,
    payments: now.payments.map((payment) =>
      payment.transactionId !== paid.transactionId || payment.refunds.some(({ id }) => id === refund.id)
        ? payment
        : { ...payment, refunds: [...payment.refunds, known] },
    ),
  }));
}
