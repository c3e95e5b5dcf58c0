/** Stands in a path, header or body for the number that each request has to itself. */
export const NUMBER = "#".repeat(16);

export function numberText(number: number): string {
  return String(number).padStart(NUMBER.length, "0");
}
