import { type CardType, schemeName } from "../kernel/card-type.ts";

/** "Visa ending in 1111". */
export function cardLabel({
  cardType,
  last4,
}: {
  readonly cardType: string;
  readonly last4: string;
}): string {
  return `${cardType === "unknown" ? "Card" : schemeName(cardType as CardType)} ending in ${last4}`;
}
