import { TidegateError } from "@tidegate/client";
import type { Order } from "../orders/order.ts";
import type { Shop } from "../shop.ts";
import { lookUpOrder } from "./look-up.ts";

/**
 * Cancels the open payment before another way to pay starts, so that the payer cannot pay twice. False if that is not
 * possible any more: a payment is in progress or done.
 */
export async function leaveOpenPayment(shop: Shop, order: Order): Promise<boolean> {
  const open = order.payments.find(({ status }) => status === "open" || status === "pending");
  if (open === undefined) return true;
  if (open.paymentRequestId === undefined) return false;
  try {
    await shop.tidegate.paymentRequests.cancel(open.paymentRequestId);
  } catch (error) {
    if (!(error instanceof TidegateError) || error.status !== 409) throw error;
  }
  await lookUpOrder(shop, order.id);
  const after = shop.orders
    .find(order.id)
    ?.payments.find((one) => one.paymentRequestId === open.paymentRequestId);
  return after?.status === "ended" || after?.status === "declined";
}
