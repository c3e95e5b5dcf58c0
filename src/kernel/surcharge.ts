import type { Cents } from "./money.ts";

/** Percent of an amount, at most four decimals, plus fixed cents. */
export type Rate = { readonly percent: number; readonly fixed: number };
export type SurchargeRates = { readonly [cardType: string]: Rate | undefined };

/** A percentage has at most four decimals, so it is a whole number of these parts: 1.2 % is 12,000 of a million. */
const PARTS_PER_PERCENT = 10_000;
const PARTS = 100 * PARTS_PER_PERCENT;

/**
 * The surcharge for this card type: percent of the amount rounded half up, plus the fixed cents; 0 without a rate. The
 * checkout shows this amount and the gateway charges it, so both run this function. It avoids bigint, which some
 * supported browsers lack, and is exact all the same.
 */
export function surchargeOf(amount: Cents, rates: SurchargeRates, cardType: string | undefined): Cents {
  return costAt(amount, cardType === undefined ? undefined : rates[cardType]);
}

/** Percent of the amount rounded half up, plus the fixed cents; 0 without a rate. */
export function costAt(amount: Cents, rate: Rate | undefined): Cents {
  if (rate === undefined) return 0 as Cents;
  return (percentOf(amount, wholeParts(rate.percent)) + rate.fixed) as Cents;
}

/** Amount times parts can exceed 2^53; splitting the amount at the million stays below it and loses no cent. */
function percentOf(amount: Cents, parts: number): number {
  const rest = amount % PARTS;
  const millions = (amount - rest) / PARTS;
  return millions * parts + Math.floor((rest * parts + PARTS / 2) / PARTS);
}

function wholeParts(percent: number): number {
  const parts = Math.round(percent * PARTS_PER_PERCENT);
  if (!(parts >= 0 && parts <= PARTS) || Math.abs(percent * PARTS_PER_PERCENT - parts) > 1e-6) {
    throw new RangeError("a rate is 0 to 100 percent with at most four decimals");
  }
  return parts;
}
