import { isCardholderName } from "../../src/platform/cards/cardholder-name.ts";

export const MAX_NAME_LENGTH = 100;

/** The name is optional. */
export function nameProblem(name: string): string | undefined {
  return isCardholderName(name) ? undefined : "Enter the name as it is printed on your card.";
}
