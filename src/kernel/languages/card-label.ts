import { type CardType, schemeName } from "../card-type.ts";
import type { CheckoutWords } from "./catalogue.ts";
import { fill } from "./speech.ts";

/** "Visa ending in 1111". */
export function cardLabel(
  words: Pick<CheckoutWords, "cardEnding" | "cardEnds">,
  { cardType, last4 }: { readonly cardType: string; readonly last4: string },
): string {
  if (cardType === "unknown") return fill(words.cardEnds, { last4 });
  return fill(words.cardEnding, { card: schemeName(cardType as CardType), last4 });
}
