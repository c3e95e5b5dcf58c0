import type { CheckoutWords } from "../../src/kernel/languages/catalogue.ts";
import type { Scheme } from "../../src/platform/cards/card-scheme.ts";

export const MAX_CODE_LENGTH = 4;

/** The most digits that the code can have. */
export function codeLength(scheme: Scheme | undefined): number {
  return scheme?.codeLength ?? MAX_CODE_LENGTH;
}

/** An unknown scheme may have either length. */
export function securityCodeProblem(
  words: CheckoutWords,
  code: string,
  scheme: Scheme | undefined,
): string | undefined {
  if (code === "") return words.codeMissing;
  if (scheme === undefined) return /^\d{3,4}$/.test(code) ? undefined : words.codeOfEither;
  if (/^\d+$/.test(code) && code.length === scheme.codeLength) return undefined;
  return scheme.codeLength === MAX_CODE_LENGTH ? words.codeOfFour : words.codeOfThree;
}

export function securityCodeHint(words: CheckoutWords, scheme: Scheme | undefined): string {
  return scheme?.codeLength === MAX_CODE_LENGTH ? words.codeOnFront : words.codeOnBack;
}
