import type { SurchargeRates } from "../../src/kernel/surcharge.ts";
import { isAcceptable, isComplete } from "./card-number.ts";
import { findElement } from "./find-element.ts";
import { moneyText } from "./money-text.ts";
import { priceRows, type Surcharge } from "./price-rows.ts";
import { quoteSurcharge } from "./quote-surcharge.ts";

export type PriceView = {
  /** The total that the payer sees. No other may be charged. */
  readonly total: () => number;
  /** Shows the price for a complete number, or for any valid one once the payer has left the field. */
  readonly update: (digits: string, hasLeftField: boolean) => void;
  /** Shows the gateway's total until the number changes. */
  readonly correct: (total: number, digits: string) => void;
};

type PriceOptions = {
  readonly amount: number;
  readonly rates: SurchargeRates | undefined;
  /** Called when a valid number was entered. */
  readonly onSurcharge: (surcharge: Surcharge) => void;
};

export function createPriceView(
  form: HTMLFormElement,
  { amount, rates, onSurcharge }: PriceOptions,
): PriceView {
  let shown: Surcharge | undefined;
  let shownFor: string | undefined;

  function show(surcharge: Surcharge | undefined): void {
    shown = surcharge;
    findElement(form, "#total").textContent = moneyText(amount + (surcharge?.amount ?? 0));
    findElement(form, "#price").innerHTML = priceRows(amount, surcharge, rates !== undefined).html;
  }

  return {
    total: () => amount + (shown?.amount ?? 0),
    update: (digits, hasLeftField) => {
      if (rates === undefined && shown === undefined) return;
      if (digits === shownFor) return;
      const known = isComplete(digits) || (hasLeftField && isAcceptable(digits));
      shownFor = known ? digits : undefined;
      if (!known || rates === undefined) {
        if (shown !== undefined) show(undefined);
        return;
      }
      const surcharge = quoteSurcharge(amount, rates, digits);
      show(surcharge);
      onSurcharge(surcharge);
    },
    correct: (total, digits) => {
      shownFor = digits;
      show({ amount: total - amount, cardType: undefined, percent: 0, fixed: 0 });
    },
  };
}
