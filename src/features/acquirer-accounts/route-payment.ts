import type { Acquirer } from "../../connectors/ports/acquirers.ts";
import type { Currency } from "../../kernel/money.ts";
import { refuse } from "../../kernel/refusal.ts";

/** What decides which accounts can take a payment. Without a card type: any card. */
export type RoutedPayment = { readonly currency: Currency; readonly cardType?: string };

/** The acquirers that can take the payment, in the merchant's order. Refuses where there is none. */
export function routePayment(
  acquirers: readonly Acquirer[],
  payment: RoutedPayment,
): readonly [Acquirer, ...Acquirer[]] {
  const [first, ...others] = acquirers.filter((acquirer) => fits(acquirer, payment));
  return first === undefined ? refuse("checkout_acquirer_missing") : [first, ...others];
}

/** Whether any of them can take the payment. */
export function isRoutable(acquirers: readonly Acquirer[], payment: RoutedPayment): boolean {
  return acquirers.some((acquirer) => fits(acquirer, payment));
}

/** A card of an unknown type fits only an account that takes every type. */
function fits(
  { currencies, cardTypes }: Pick<Acquirer, "currencies" | "cardTypes">,
  { currency, cardType }: RoutedPayment,
): boolean {
  if (currencies.length > 0 && !currencies.includes(currency)) return false;
  return cardType === undefined || cardTypes.length === 0 || cardTypes.some((type) => type === cardType);
}
