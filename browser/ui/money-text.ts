import type { Currency } from "../../src/kernel/money.ts";

const NAMES: Readonly<Record<Currency, string>> = { AUD: "Australian dollars", NZD: "New Zealand dollars" };

/** $1,234.50, without the currency, which `currencyText` shows. */
export function moneyText(cents: number): string {
  const digits = String(Math.abs(cents));
  const padded = digits.length < 3 ? `00${digits}`.slice(-3) : digits;
  const dollars = padded.slice(0, -2).replace(/\B(?=(?:\d{3})+$)/g, ",");
  return `${cents < 0 ? "-" : ""}$${dollars}.${padded.slice(-2)}`;
}

export function currencyText(code: string): string {
  const name = (NAMES as Readonly<Record<string, string>>)[code];
  return name === undefined ? code : `${name} (${code})`;
}

/** "1.2% + $0.10", or the part that is not zero. */
export function rateText(percent: number, fixed: number): string {
  const parts = [...(percent > 0 ? [`${percent}%`] : []), ...(fixed > 0 ? [moneyText(fixed)] : [])];
  return parts.join(" + ");
}
