import type { SurchargeRates } from "../../src/kernel/surcharge.ts";
import { isAcceptable, isComplete } from "./card-number.ts";
import { findElement } from "./find-element.ts";
import { moneyText } from "./money-text.ts";
import { priceRows, type Surcharge } from "./price-rows.ts";
import { quoteSurcharge } from "./quote-surcharge.ts";

export type PriceView = {
  /** The total that the payer sees now. Nothing else may be charged. */
  readonly total: () => number;
  /** Shows what this number costs, when it can be told: all typed, or as far as it goes once the payer leaves it. */
  readonly update: (digits: string, left: boolean) => void;
  /** The gateway named another total. It holds until the number changes. */
  readonly correct: (total: number, digits: string) => void;
};

type PriceOptions = {
  readonly amount: number;
  readonly rates: SurchargeRates | undefined;
  /** A valid number was entered; tells what it costs on top. */
  readonly onSurcharge: (surcharge: Surcharge) => void;
};

export function viewPrice(form: HTMLFormElement, { amount, rates, onSurcharge }: PriceOptions): PriceView {
  let shown: Surcharge | undefined;
  let shownFor: string | undefined;

  function show(surcharge: Surcharge | undefined): void {
    shown = surcharge;
    findElement(form, "#total").textContent = moneyText(amount + (surcharge?.amount ?? 0));
    findElement(form, "#price").innerHTML = priceRows(amount, surcharge, rates !== undefined).html;
  }

  return {
    total: () => amount + (shown?.amount ?? 0),
    update: (digits, left) => {
      if (rates === undefined && shown === undefined) return;
      if (digits === shownFor) return;
      const known = isComplete(digits) || (left && isAcceptable(digits));
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
