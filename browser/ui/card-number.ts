import luhn10 from "card-validator/dist/luhn-10.js";
import { gapsOf, schemeOf } from "../../src/platform/cards/card-scheme.ts";

const SHORTEST = 12;
const LONGEST = 19;

export function digitsOf(text: string): string {
  return text.normalize("NFKC").replace(/\D/g, "");
}

/** The digits in the groups that are printed on this scheme's cards. */
export function groupNumber(digits: string): string {
  const scheme = schemeOf(digits);
  const gaps = gapsOf(scheme);
  const longest = scheme === undefined ? LONGEST : Math.max(...scheme.lengths);
  return Array.from(digits.slice(0, longest))
    .map((digit, at) => (gaps.some((gap) => gap === at) ? ` ${digit}` : digit))
    .join("");
}

/** Every number with a right check digit is taken, whether we know its scheme or not. */
export function isAcceptable(digits: string): boolean {
  return digits.length >= SHORTEST && digits.length <= LONGEST && luhn10(digits);
}

/**
 * Surely all typed: a length of its scheme. Shorter numbers have a right check digit by chance now and then, and a
 * surcharge that comes and goes while someone types would be noise.
 */
export function isComplete(digits: string): boolean {
  const lengths = schemeOf(digits)?.lengths ?? [];
  return lengths.some((length) => length === digits.length) && isAcceptable(digits);
}

export function numberProblem(digits: string): string | undefined {
  if (digits === "") return "Enter your card number.";
  if (isAcceptable(digits)) return undefined;
  const shortest = Math.min(...(schemeOf(digits)?.lengths ?? [SHORTEST]));
  if (digits.length < shortest) return "This card number is too short.";
  return "This card number is not valid.";
}
