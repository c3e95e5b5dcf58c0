import { cardholderName } from "card-validator/dist/cardholder-name.js";

export const LONGEST_NAME = 100;

/** It may stay empty. Digits alone are a card number in the wrong field, and a name is stored in clear. */
export function nameProblem(name: string): string | undefined {
  if (name === "") return undefined;
  return cardholderName(name).isValid ? undefined : "Enter the name as it is printed on your card.";
}
