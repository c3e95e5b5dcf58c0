import luhn10 from "card-validator/dist/luhn-10.js";
import type { CheckoutWords } from "../../src/kernel/languages/catalogue.ts";
import { gapsOf, schemeOf } from "../../src/platform/cards/card-scheme.ts";

const MIN_LENGTH = 12;
const MAX_LENGTH = 19;

/** With the digits of full-width, Arabic and Persian keyboards as 0 to 9. */
export function plainText(text: string): string {
  return text.normalize("NFKC").replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 15));
}

export function digitsOf(text: string): string {
  return plainText(text).replace(/\D/g, "");
}

/** Groups the digits as they are printed on the scheme's cards. */
export function groupNumber(digits: string): string {
  const scheme = schemeOf(digits);
  const gaps = gapsOf(scheme);
  const longest = scheme === undefined ? MAX_LENGTH : Math.max(...scheme.lengths);
  return Array.from(digits.slice(0, longest))
    .map((digit, at) => (gaps.includes(at) ? ` ${digit}` : digit))
    .join("");
}

const lengthsOf = (digits: string): readonly number[] => schemeOf(digits)?.lengths ?? [];

/** Accepts every number with a valid check digit, of a known scheme or not. */
export function isAcceptable(digits: string): boolean {
  return digits.length >= MIN_LENGTH && digits.length <= MAX_LENGTH && luhn10(digits);
}

/**
 * The number has a length of its scheme. A shorter one can have a valid check digit by chance, and the surcharge would
 * flicker while the payer types.
 */
export function isComplete(digits: string): boolean {
  return lengthsOf(digits).includes(digits.length) && isAcceptable(digits);
}

/**
 * No further digit is to come: the usual length of the scheme's cards. UnionPay and Diners Club have several in use, from 14
 * digits on; there only the longest is certain.
 */
export function isFull(digits: string): boolean {
  const lengths = lengthsOf(digits);
  const [shortest = 0] = lengths;
  return digits.length === (shortest > 14 ? shortest : Math.max(...lengths)) && isAcceptable(digits);
}

export function numberProblem(words: CheckoutWords, digits: string): string | undefined {
  if (digits === "") return words.numberMissing;
  if (isAcceptable(digits)) return undefined;
  const shortest = Math.min(...(schemeOf(digits)?.lengths ?? [MIN_LENGTH]));
  if (digits.length < shortest) return words.numberShort;
  return words.numberWrong;
}
