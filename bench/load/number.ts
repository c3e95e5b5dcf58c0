/** Placeholder in a path, header or body for the unique number of each request. */
export const NUMBER = "#".repeat(16);

export function numberText(number: number): string {
  return String(number).padStart(NUMBER.length, "0");
}
