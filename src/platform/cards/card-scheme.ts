import creditCardType from "credit-card-type";
import { type CardType, schemeName } from "../../kernel/card-type.ts";

/**
 * Which scheme a card number belongs to. The form and the gateway both use this, so that the surcharge shown is the one
 * charged.
 */
export type Scheme = {
  readonly type: CardType;
  readonly name: string;
  /** After how many digits a gap is shown. */
  readonly gaps: readonly number[];
  readonly lengths: readonly number[];
  readonly codeLength: number;
};

/**
 * The library's names for the schemes that we know. eftpos is not among them: its cards share the ranges of Visa and
 * Mastercard, and no public list separates the rest, so a number alone never means "eftpos".
 */
const TYPES: Readonly<Record<string, CardType>> = {
  visa: "visa",
  mastercard: "mastercard",
  "american-express": "amex",
  "diners-club": "diners",
  discover: "discover",
  jcb: "jcb",
  unionpay: "unionpay",
};

/** What the library calls the schemes that we know. */
export const LIBRARY_TYPES: readonly string[] = Object.keys(TYPES);

// The other schemes go, or their ranges would hide ours: Elo and Troy cards travel abroad as Discover or Visa.
for (const name of Object.values(creditCardType.types)) {
  if (TYPES[name] === undefined) creditCardType.removeCard(name);
}

type LibraryType = ReturnType<typeof creditCardType>[number];

const USUAL_GAPS: readonly number[] = [4, 8, 12, 16];

/** The scheme, as soon as the digits leave only one. */
export function schemeOf(digits: string): Scheme | undefined {
  const [found, another] = creditCardType(digits);
  const type = found === undefined ? undefined : TYPES[found.type];
  if (digits === "" || found === undefined || another !== undefined || type === undefined) return undefined;
  return describe(type, found);
}

function describe(type: CardType, { gaps, lengths, code }: LibraryType): Scheme {
  return {
    type,
    name: schemeName(type),
    gaps: gaps.length === 3 ? USUAL_GAPS : gaps,
    lengths,
    codeLength: code.size,
  };
}

/** The scheme of a card whose number is not at hand. */
export function schemeNamed(type: string): Scheme | undefined {
  const name = LIBRARY_TYPES.find((known) => TYPES[known] === type);
  const found = name === undefined ? undefined : creditCardType.getTypeInfo(name);
  return found && describe(type as CardType, found);
}

/** Whether a complete number begins as those of a scheme do. */
export function hasSchemePrefix(digits: string): boolean {
  return creditCardType(digits).length > 0;
}

export function gapsOf(scheme: Scheme | undefined): readonly number[] {
  return scheme?.gaps ?? USUAL_GAPS;
}

/** How long the security code of such a card is. Undefined: not known. */
export function codeLengthOf(type: string): number | undefined {
  return schemeNamed(type)?.codeLength;
}
