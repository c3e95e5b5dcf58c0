/** Placeholder in a path, header or body for the unique number of each request. */
export const NUMBER = "#".repeat(16);

export function numberText(number: number): string {
  return String(number).padStart(NUMBER.length, "0");
}

/** Placeholder for a card number that differs in each request: one card is not paid with by many payers at once. */
export const CARD_NUMBER = "%".repeat(16);

export function cardNumberText(number: number): string {
  const digits = `411111${String(number % 1_000_000_000).padStart(9, "0")}`;
  const sum = Array.from(digits, Number).reduce((total, digit, place) => {
    const value = place % 2 === 0 ? 2 * digit : digit;
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}
