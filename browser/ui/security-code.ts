import { cvv } from "card-validator/dist/cvv.js";
import type { Scheme } from "../../src/platform/cards/card-scheme.ts";

export const LONGEST_CODE = 4;

/** Cards of a scheme that we don't know may have either length. */
export function securityCodeProblem(code: string, scheme: Scheme | undefined): string | undefined {
  const lengths = scheme === undefined ? [3, LONGEST_CODE] : [scheme.codeLength];
  if (code === "") return "Enter the security code.";
  if (cvv(code, lengths).isValid) return undefined;
  return `The security code has ${lengths.join(" or ")} digits.`;
}

export function securityCodeHint(scheme: Scheme | undefined): string {
  return scheme?.codeLength === LONGEST_CODE
    ? "4 digits on the front of your card"
    : "3 digits on the back of your card";
}
