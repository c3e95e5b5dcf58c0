/** The types of card that surcharges go by, in the words of the wire, with the names that people know them by. */
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

/** The type that a word names, if it names one that we know. */
export function cardTypeNamed(word: string): CardType | undefined {
  return CARD_TYPES.find((type) => type === word);
}

export function schemeName(type: CardType): string {
  return NAMES[type];
}
