import type { Order } from "../orders/order.ts";
import type { Shop } from "../shop.ts";

export type Payer = { readonly name: string; readonly email: string };

/**
 * Embedded checkout: card and wallets, in a frame on the shop's page. With `saveFor` the card is also stored for later; the
 * form says so, and paying is the consent. Returns the page to send the payer to.
 */
export async function payEmbedded(
  { tidegate, orders }: Shop,
  order: Order,
  saveFor?: Payer,
): Promise<string> {
  const request = await tidegate.paymentRequests.create(
    {
      reference: order.id,
      payment: { amount: order.basket.total, description: "Driftwood Coffee" },
      paymentMethods: ["card", "apple_pay", "google_pay"],
      transactionRequest: {
        category: {
          authenticationType: "3d_secure",
          frequency: saveFor === undefined ? "single" : "recurring",
        },
      },
      ...(saveFor === undefined ? {} : { customerRequest: { paymentInstrument: "create", ...saveFor } }),
    },
    // The same key if the form is submitted twice: one payment request per attempt.
    { idempotencyKey: `${order.id}-${order.payments.length}` },
  );
  const method = saveFor === undefined ? "card" : "save";
  orders.addPayment(order.id, { method, paymentRequestId: request.id, status: "open", refunds: [] });
  return `/orders/${order.id}/pay`;
}

/** A token pays once. Until then it survives a reload, but a new view of the page is free to get its own. */
export async function tokenFor({ tidegate }: Shop, paymentRequestId: string): Promise<string> {
  const { token } = await tidegate.tokens.create({ paymentRequestId });
  return token;
}
