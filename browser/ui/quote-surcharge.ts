import type { CardType } from "../../src/kernel/card-type.ts";
import type { Cents } from "../../src/kernel/money.ts";
import { type SurchargeRates, surchargeOf } from "../../src/kernel/surcharge.ts";
import { schemeOf } from "../../src/platform/cards/card-scheme.ts";
import type { Surcharge } from "./price-rows.ts";

/** The surcharge of a card number, with the rate that explains it. */
export function quoteSurcharge(amount: number, rates: SurchargeRates, digits: string): Surcharge {
  return surchargeFor(amount, rates, schemeOf(digits)?.type);
}

/** The same by card type: a wallet reveals no number. */
export function surchargeFor(
  amount: number,
  rates: SurchargeRates,
  cardType: CardType | undefined,
): Surcharge {
  const rate = cardType === undefined ? undefined : rates[cardType];
  return {
    amount: surchargeOf(amount as Cents, rates, cardType),
    cardType,
    percent: rate?.percent ?? 0,
    fixed: rate?.fixed ?? 0,
  };
}
