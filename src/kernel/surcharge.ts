import type { Cents } from "./money.ts";

/** Percent of an amount, at most four decimals, and cents on top of that. */
export type Rate = { readonly percent: number; readonly fixed: number };
export type SurchargeRates = { readonly [cardType: string]: Rate | undefined };

/** A percentage has at most four decimals, so it is a whole number of these parts: 1.2 % is 12,000 of a million. */
const PARTS_PER_PERCENT = 10_000;
const PARTS = 100 * PARTS_PER_PERCENT;

/**
 * What paying with this type of card costs on top: percent of the amount rounded half up, plus the fixed cents. Nothing
 * for a type without a rate. The checkout shows this figure and the gateway charges it, so both run this function; the
 * browsers we support include some without bigint, so it is exact without it.
 */
export function surchargeOf(amount: Cents, rates: SurchargeRates, cardType: string | undefined): Cents {
  return costAt(amount, cardType === undefined ? undefined : rates[cardType]);
}

/** Percent of the amount rounded half up, plus the fixed cents; nothing without a rate. */
export function costAt(amount: Cents, rate: Rate | undefined): Cents {
  if (rate === undefined) return 0 as Cents;
  return (percentOf(amount, wholeParts(rate.percent)) + rate.fixed) as Cents;
}

/** Amount and parts multiplied can pass 2^53; the amount cut at the million can't, and no cent is lost in the cut. */
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
