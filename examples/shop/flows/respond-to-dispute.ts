import type { Order } from "../orders/order.ts";
import type { Shop } from "../shop.ts";
import { lookUpOrder } from "./look-up.ts";

/** Sends evidence that the payment was right, or without any gives the money up. The payer's bank decides later. */
export async function respondToDispute(
  shop: Shop,
  order: Order,
  evidence: string | undefined,
): Promise<void> {
  const { dispute } = order.payments.find((payment) => payment.dispute?.status === "needs_response") ?? {};
  if (dispute === undefined) return;
  if (evidence === undefined) await shop.tidegate.disputes.accept(dispute.id);
  else await shop.tidegate.disputes.sendEvidence(dispute.id, { text: evidence });
  await lookUpOrder(shop, order.id);
}
