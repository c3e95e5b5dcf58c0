import type { CheckoutWords } from "../../src/kernel/languages/catalogue.ts";
import { digitsOf, plainText } from "./card-number.ts";

export type Expiry = { readonly month: number; readonly year: number };

/** No card is valid for longer. */
const YEARS_AHEAD = 19;

const MONTHS = "janfebmaraprmayjunjulaugsepoctnovdec";
const YEAR_FIRST = /^\s*(20\d\d)\W*(\d{1,2})\s*$/;
/** The start of a month's name, or of a year that comes first. It has to stay as it is until more was entered. */
export const STARTED = /^([a-z]{1,2}|20\d?|20\d\d\W*[01]?)$/i;
const ONE_DIGIT_MONTH = /^\s*(\d\s*[-/.]|[1-9]\s+(\d\d|$))/;
const WRITTEN_MONTH = /^\s*\d{2}\s*[-/.]/;

/**
 * Month and year as MMYY, or the part entered so far. Accepts what payers type and browsers fill in: 12/30, 12/2030,
 * 1/30, 1 2030, 2030-12, Dec 2030. No month starts with 2 to 9, so such a digit gets a zero before it. A month of two digits stays: 13 / 30
 * is an error, not January.
 */
export function expiryDigits(typed: string): string {
  const entered = plainText(typed);
  const [, year = "", month = ""] = YEAR_FIRST.exec(entered) ?? [];
  if (year !== "") return `0${month}`.slice(-2) + year.slice(2);
  if (STARTED.test(entered)) return "";
  const text = entered.replace(/^\s*([a-z]{3})[a-z]*/i, (_, name: string) => {
    const at = MONTHS.indexOf(name.toLowerCase());
    return at % 3 === 0 ? `${at / 3 + 1}/` : "";
  });
  const digits = digitsOf(text);
  const meansZero = ONE_DIGIT_MONTH.test(text) || (/^[2-9]/.test(digits) && !WRITTEN_MONTH.test(text));
  const padded = meansZero ? `0${digits}` : digits;
  return padded.slice(0, 2) + shortYear(padded.slice(2));
}

/** 2030 becomes 30. 203 stays, so that the payer can type a year with four digits. */
function shortYear(year: string): string {
  if (!year.startsWith("20")) return year.slice(0, 2);
  return year.length >= 4 ? year.slice(2, 4) : year;
}

/** Adds the slash as soon as the month is complete, if more digits are to come. */
export function groupExpiry(digits: string, more: boolean): string {
  if (digits.length < 2 || (digits.length === 2 && !more)) return digits;
  return `${digits.slice(0, 2)} / ${digits.slice(2)}`;
}

export function readExpiry(text: string): Expiry | undefined {
  const digits = expiryDigits(text);
  if (digits.length !== 4) return undefined;
  return { month: Number(digits.slice(0, 2)), year: 2000 + Number(digits.slice(2)) };
}

/** As the form writes it. Year and month in the other order may still get a digit: 2030-1 becomes 2030-12. */
const COMPLETE_LENGTH = "MM / YY".length;

/** No further digit is to come, and the card is valid. */
export function isExpiryDone(words: CheckoutWords, text: string): boolean {
  return text.length === COMPLETE_LENGTH && expiryProblem(words, text) === undefined;
}

/** Goes by the browser's clock; the gateway checks again by its own. */
export function expiryProblem(words: CheckoutWords, text: string): string | undefined {
  if (digitsOf(text) === "") return words.expiryMissing;
  const expiry = readExpiry(text);
  if (expiry === undefined) return words.expiryUnread;
  const { month, year } = expiry;
  if (month < 1 || month > 12) return words.monthWrong;
  const now = new Date();
  if (year * 12 + month < now.getFullYear() * 12 + now.getMonth() + 1) return words.cardExpired;
  return year > now.getFullYear() + YEARS_AHEAD ? words.yearWrong : undefined;
}
