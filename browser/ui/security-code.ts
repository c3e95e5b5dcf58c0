import type { Scheme } from "../../src/platform/cards/card-scheme.ts";

export const MAX_CODE_LENGTH = 4;

/** An unknown scheme may have either length. */
export function securityCodeProblem(code: string, scheme: Scheme | undefined): string | undefined {
  const lengths = scheme === undefined ? [3, MAX_CODE_LENGTH] : [scheme.codeLength];
  if (code === "") return "Enter the security code.";
  if (/^\d+$/.test(code) && lengths.indexOf(code.length) !== -1) return undefined;
  return `The security code has ${lengths.join(" or ")} digits.`;
}

export function securityCodeHint(scheme: Scheme | undefined): string {
  return scheme?.codeLength === MAX_CODE_LENGTH
    ? "4 digits on the front of your card"
    : "3 digits on the back of your card";
}
