import type { Order } from "../orders/order.ts";
import type { Shop } from "../shop.ts";

export type Payer = { readonly name: string; readonly email: string };

/** A customer whose saved cards are offered, or a payer whose card is stored. */
type Customer = { readonly id: string } | (Payer & { readonly paymentInstrument: "create" });

/** How often a payer may try in the frame. */
export const ATTEMPTS = 2;

/**
 * Embedded checkout: card and wallets, in a frame on the shop's page. With the `id` of a customer the frame offers that
 * customer's saved cards. With `create` the card is also stored for later; the form says so, and paying is the consent.
 * Returns the page to send the payer to.
 */
export async function payEmbedded(
  { tidegate, orders }: Shop,
  order: Order,
  customerRequest?: Customer,
): Promise<string> {
  const isSaving = customerRequest !== undefined && "paymentInstrument" in customerRequest;
  const request = await tidegate.paymentRequests.create(
    {
      reference: order.id,
      payment: { amount: order.basket.total, description: "Driftwood Coffee" },
      paymentMethods: ["card", "apple_pay", "google_pay"],
      transactionRequest: {
        category: { authenticationType: "3d_secure", frequency: isSaving ? "recurring" : "single" },
        attempts: ATTEMPTS,
      },
      ...(customerRequest === undefined ? {} : { customerRequest }),
    },
    // The same key if the form is submitted twice: one payment request per attempt.
    { idempotencyKey: `${order.id}-${order.payments.length}` },
  );
  const method = isSaving ? "save" : "card";
  orders.addPayment(order.id, { method, paymentRequestId: request.id, status: "open", refunds: [] });
  return `/orders/${order.id}/pay`;
}

/** A token pays once. Until then it survives a reload, but a new view of the page is free to get its own. */
export async function tokenFor({ tidegate }: Shop, paymentRequestId: string): Promise<string> {
  const { token } = await tidegate.tokens.create({ paymentRequestId });
  return token;
}
