import type { CheckoutWords } from "../../src/kernel/languages/catalogue.ts";
import { isCardholderName } from "../../src/platform/cards/cardholder-name.ts";

export const MAX_NAME_LENGTH = 100;

/** The name is optional. */
export function nameProblem(words: CheckoutWords, name: string): string | undefined {
  return isCardholderName(name) ? undefined : words.nameWrong;
}
