/** Card types by their name on the wire, each with its display name. Surcharge rates are per card type. */
const NAMES = {
  visa: "Visa",
  mastercard: "Mastercard",
  amex: "American Express",
  diners: "Diners Club",
  discover: "Discover",
  jcb: "JCB",
  unionpay: "UnionPay",
  eftpos: "eftpos",
} as const;

export type CardType = keyof typeof NAMES;

export const CARD_TYPES = Object.keys(NAMES) as readonly CardType[];

/** The card type with that name on the wire; undefined if it is unknown. */
export function cardTypeNamed(word: string): CardType | undefined {
  return CARD_TYPES.find((type) => type === word);
}

export function schemeName(type: CardType): string {
  return NAMES[type];
}
