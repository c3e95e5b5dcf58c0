import cardTypes from "credit-card-type/dist/lib/card-types.js";
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
 * The library's names for the schemes that we know. The ranges of the others would hide ours: Elo and Troy cards travel
 * abroad as Discover or Visa. eftpos is not among them: its cards share the ranges of Visa and Mastercard, and no public
 * list separates the rest, so a number alone never means "eftpos".
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

const USUAL_GAPS: readonly number[] = [4, 8, 12, 16];

type Candidate = { readonly name: string; readonly strength: number };

/**
 * The schemes that the digits still allow. Once all of them fit a complete range, only the one with the longest is left. The
 * library does the same, with more code than its table; a test compares the two.
 */
function candidatesOf(digits: string): readonly Candidate[] {
  const found: Candidate[] = [];
  for (const name of LIBRARY_TYPES) {
    const pattern = cardTypes[name]?.patterns.find((one) => fits(digits, one));
    if (pattern === undefined) continue;
    const { length } = edgesOf(pattern)[0];
    found.push({ name, strength: digits.length < length ? 0 : length });
  }
  const longest = Math.max(...found.map(({ strength }) => strength));
  const best = found.find(({ strength }) => strength === longest);
  return best !== undefined && found.every(({ strength }) => strength > 0) ? [best] : found;
}

/** First and last prefix of a range. */
function edgesOf(pattern: number | readonly number[]): readonly [string, string] {
  const [first, last = first] = typeof pattern === "number" ? [pattern] : pattern;
  return [String(first), String(last)];
}

/** Whether the digits, as far as they go, begin within the range. */
function fits(digits: string, pattern: number | readonly number[]): boolean {
  const [first, last] = edgesOf(pattern);
  const start = digits.slice(0, first.length);
  return start >= first.slice(0, start.length) && start <= last.slice(0, start.length);
}

/** The scheme, as soon as the digits leave only one. */
export function schemeOf(digits: string): Scheme | undefined {
  const [found, another] = candidatesOf(digits);
  const type = TYPES[found?.name ?? ""];
  return digits === "" || another !== undefined || type === undefined ? undefined : schemeNamed(type);
}

function describe(type: CardType, { gaps, lengths, code }: (typeof cardTypes)[string]): Scheme {
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
  const found = cardTypes[LIBRARY_TYPES.find((name) => TYPES[name] === type) ?? ""];
  return found && describe(type as CardType, found);
}

/** Whether a complete number begins as those of a scheme do. */
export function hasSchemePrefix(digits: string): boolean {
  return candidatesOf(digits).length > 0;
}

export function gapsOf(scheme: Scheme | undefined): readonly number[] {
  return scheme?.gaps ?? USUAL_GAPS;
}

/** How long the security code of such a card is. Undefined: not known. */
export function codeLengthOf(type: string): number | undefined {
  return schemeNamed(type)?.codeLength;
}
