import { expirationDate } from "card-validator/dist/expiration-date.js";
import { digitsOf } from "./card-number.ts";

export type Expiry = { readonly month: number; readonly year: number };

const YEAR_FIRST = /^\s*(\d{4})\s*[-/.]\s*(\d{1,2})\s*$/;
const ONE_DIGIT_MONTH = /^\s*(\d)\s*[-/.]/;
const WRITTEN_MONTH = /^\s*\d{2}\s*[-/.]/;

/**
 * Month and year as MMYY, or as much of it as is there. Takes what people type and what browsers fill in: 12/30,
 * 12/2030, 1/30, 2030-12. No month begins with 2 while it is typed, so a zero before it is meant. A month that was written
 * out stays as it is: 13 / 30 is a mistake to be told of, and no January to be charged.
 */
export function expiryDigits(text: string): string {
  const [, year = "", month = ""] = YEAR_FIRST.exec(text) ?? [];
  if (year !== "") return `0${month}`.slice(-2) + year.slice(2);
  const digits = digitsOf(text);
  const meansZero = ONE_DIGIT_MONTH.test(text) || (/^[2-9]/.test(digits) && !WRITTEN_MONTH.test(text));
  const padded = meansZero ? `0${digits}` : digits;
  return padded.slice(0, 2) + shortYear(padded.slice(2));
}

/** 2030 is 30. On the way there, 203 stays, or nobody could type a year with four digits. */
function shortYear(year: string): string {
  if (!year.startsWith("20")) return year.slice(0, 2);
  return year.length >= 4 ? year.slice(2, 4) : year;
}

/** With a slash already waiting when the month is complete and more is to come. */
export function groupExpiry(digits: string, more: boolean): string {
  if (digits.length < 2 || (digits.length === 2 && !more)) return digits;
  return `${digits.slice(0, 2)} / ${digits.slice(2)}`;
}

export function readExpiry(text: string): Expiry | undefined {
  const digits = expiryDigits(text);
  if (digits.length !== 4) return undefined;
  return { month: Number(digits.slice(0, 2)), year: 2000 + Number(digits.slice(2)) };
}

/** The browser's clock decides here, the gateway's when it is sent. */
export function expiryProblem(text: string): string | undefined {
  if (digitsOf(text) === "") return "Enter the expiry date.";
  const expiry = readExpiry(text);
  if (expiry === undefined) return "Enter the expiry date as MM / YY.";
  const { month, year } = expiry;
  if (month < 1 || month > 12) return "Enter a month from 01 to 12.";
  if (expirationDate({ month: String(month), year: String(year) }).isValid) return undefined;
  return isPast(expiry) ? "This card has expired." : "Check the year of the expiry date.";
}

function isPast({ month, year }: Expiry): boolean {
  const now = new Date();
  return year * 12 + month < now.getFullYear() * 12 + now.getMonth() + 1;
}
