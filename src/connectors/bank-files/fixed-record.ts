import { BankFileProblem } from "../ports/debit-files.ts";

/** Left, filled with blanks; what is longer is cut, as banks do with names. */
export function left(width: number, text: string): string {
  return text.slice(0, width).padEnd(width, " ");
}

/** Right, filled with blanks. A number is never cut. */
export function right(field: string, width: number, text: string): string {
  return filled(field, width, text, " ");
}

/** An integer, padded with zeros. One that does not fit is refused: truncated, it would be another number. */
export function digits(field: string, width: number, value: number | string): string {
  const text = String(value);
  if (!/^\d+$/.test(text)) throw new BankFileProblem(`${field} is not a whole number`);
  return filled(field, width, text, "0");
}

export const blank = (width: number): string => " ".repeat(width);

function filled(field: string, width: number, text: string, filler: string): string {
  if (text.length > width) throw new BankFileProblem(`${field} has more than ${width} characters`);
  return text.padStart(width, filler);
}
