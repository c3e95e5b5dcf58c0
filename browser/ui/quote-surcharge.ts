import type { Cents } from "../../src/kernel/money.ts";
import { type SurchargeRates, surchargeOf } from "../../src/kernel/surcharge.ts";
import { schemeOf } from "../../src/platform/cards/card-scheme.ts";
import type { Surcharge } from "./price-rows.ts";

/** What this card costs on top, with the reason that is shown beside it. */
export function quoteSurcharge(amount: number, rates: SurchargeRates, digits: string): Surcharge {
  const cardType = schemeOf(digits)?.type;
  const rate = cardType === undefined ? undefined : rates[cardType];
  return {
    amount: surchargeOf(amount as Cents, rates, cardType),
    cardType,
    percent: rate?.percent ?? 0,
    fixed: rate?.fixed ?? 0,
  };
}
