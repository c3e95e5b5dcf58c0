import type { BigNumberInput } from "@medusajs/framework/types";
import { MathBN, MedusaError } from "@medusajs/framework/utils";
import { listOf } from "./words.ts";

const CURRENCIES = ["AUD", "NZD"] as const;
export type Currency = (typeof CURRENCIES)[number];

/** The gateway's largest amount, in cents. */
const MOST = 99_999_999_999;

export function currencyOf(code: string): Currency {
  const given = code.toUpperCase();
  const currency = CURRENCIES.find((known) => known === given);
  if (currency !== undefined) return currency;
  throw new MedusaError(
    MedusaError.Types.INVALID_DATA,
    `Tidegate takes payments in ${listOf(CURRENCIES)}, not in ${given}. Disable this provider in regions with other currencies.`,
  );
}

/**
 * Medusa's dollars as the gateway's cents, computed on the decimal digits. Medusa does not round totals: a discount in
 * percent can leave fractions of a cent. They are refused, or rounded half up where the shop has chosen so.
 */
export function centsOf(amount: BigNumberInput, options: { readonly round: boolean }): number {
  const digits = MathBN.convert(amount).toFixed();
  const [, whole, fraction = ""] = /^(\d+)(?:\.(\d+))?$/.exec(digits) ?? [];
  if (whole === undefined) throw refused(`the amount ${digits} is not positive`);
  if (fraction.length > 2 && !options.round) {
    throw refused(
      `the amount ${digits} has fractions of a cent. Round your prices, or set roundToCents in the provider's options`,
    );
  }
  const half = fraction.charAt(2) >= "5" ? 1n : 0n;
  const cents = BigInt(whole + fraction.slice(0, 2).padEnd(2, "0")) + half;
  if (cents < 1n || cents > MOST) throw refused(`the amount ${digits} is not between 0.01 and 999999999.99`);
  return Number(cents);
}

/** The nearest number to so many dollars, which prints as their exact decimal. */
export function dollarsOf(cents: number): number {
  return cents / 100;
}

function refused(problem: string): MedusaError {
  return new MedusaError(MedusaError.Types.INVALID_DATA, `Tidegate: ${problem}.`);
}
