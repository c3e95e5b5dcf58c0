import type { PaymentRequest } from "../payment-requests/index.ts";

/**
 * Whether the merchant stores the card: if the payer ticks a box, or always, for payments that recur and for a verification,
 * which has no other purpose. Then the page says so, and pressing the button is the consent.
 */
export type Storing = "never" | "asked" | "always";

export function storingOf({ amount, details }: Pick<PaymentRequest, "amount" | "details">): Storing {
  const { customerRequest, category, agreement } = details;
  if (customerRequest?.paymentInstrument !== "create") return "never";
  return amount === 0 || category?.frequency === "recurring" || agreement !== undefined ? "always" : "asked";
}
