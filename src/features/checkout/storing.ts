import type { PaymentRequest } from "../payment-requests/index.ts";

/**
 * Whether the merchant stores the card: if the payer ticks a box, or always, for payments that recur. Then the page says so,
 * and paying is the consent.
 */
export type Storing = "never" | "asked" | "always";

export function storingOf({ details }: Pick<PaymentRequest, "details">): Storing {
  const { customerRequest, category, agreement } = details;
  if (customerRequest?.paymentInstrument !== "create") return "never";
  return category?.frequency === "recurring" || agreement !== undefined ? "always" : "asked";
}
