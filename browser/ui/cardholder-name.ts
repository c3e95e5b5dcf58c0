import { isCardholderName } from "../../src/platform/cards/cardholder-name.ts";

export const LONGEST_NAME = 100;

/** It may stay empty. */
export function nameProblem(name: string): string | undefined {
  return isCardholderName(name) ? undefined : "Enter the name as it is printed on your card.";
}
