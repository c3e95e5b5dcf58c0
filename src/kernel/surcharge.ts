import { divideHalfUp } from "./money.ts";

/** What paying with a card type costs on top: a percentage of the amount and a fixed number of cents. */
export type Rate = { readonly percent: number; readonly fixed: number };

/** Percentages have at most four decimals; in this many parts they are whole numbers. */
const PARTS = 10_000;

/** Percent of the amount rounded half up, plus the fixed cents. Exact. */
export function surchargeOf(amount: number, rate: Rate | undefined): number {
  if (rate === undefined) return 0;
  const parts = BigInt(Math.round(rate.percent * PARTS));
  return Number(divideHalfUp(BigInt(amount) * parts, BigInt(100 * PARTS))) + rate.fixed;
}
