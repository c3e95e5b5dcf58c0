import { isBlank } from "../../kernel/blank-text.ts";
import { plainDigits } from "./plain-digits.ts";

/**
 * Whether a text can be the name on a card. Digits alone, or as many of them as a card number has, are one in the wrong
 * field: a name is stored in clear.
 */
export function isCardholderName(name: string): boolean {
  const text = name.normalize("NFKC");
  return !/^[\s-]*\d[\d\s-]*$/.test(text) && !/\d{12}/.test(text.replace(/[\s.,_/-]/g, ""));
}

/** Whether a customer's name can stand on a card: it may be digits, which the checkout refuses there. */
export function mayBeOnCard(name: string): boolean {
  return !isBlank(name) && isCardholderName(plainDigits(name));
}
