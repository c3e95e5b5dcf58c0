import type { CardType } from "../../src/kernel/card-type.ts";
import type { Speech } from "../../src/kernel/languages/speech.ts";
import type { SurchargeRates } from "../../src/kernel/surcharge.ts";
import { getElement } from "./get-element.ts";
import { priceRows, type Surcharge } from "./price-rows.ts";
import { surchargeFor } from "./quote-surcharge.ts";

export type PriceView = {
  /** The total that the payer sees. No other may be charged. */
  readonly total: () => number;
  /** Shows the price for a card, named by its digits or its id. Undefined: there is none yet. */
  readonly update: (card: string | undefined, cardType: CardType | undefined) => void;
  /** Shows the gateway's total until the card changes. */
  readonly correct: (total: number, card: string | undefined) => void;
};

type PriceOptions = {
  readonly speech: Speech;
  readonly amount: number;
  readonly rates: SurchargeRates | undefined;
  /** Called with the surcharge of a card, and when the gateway's differs. */
  readonly onSurcharge: (surcharge: number) => void;
  /** Called whenever the price on the page changes. */
  readonly onPrice?: (surcharge: number) => void;
};

export function createPriceView(
  form: HTMLFormElement,
  { speech, amount, rates, onSurcharge, onPrice }: PriceOptions,
): PriceView {
  let shown: Surcharge | undefined;
  let shownFor: string | undefined;

  function show(surcharge: Surcharge | undefined): void {
    shown = surcharge;
    const extra = surcharge?.amount ?? 0;
    getElement(form, "#total").textContent = speech.money(amount + extra);
    getElement(form, "#price").innerHTML = priceRows(speech, amount, surcharge, rates !== undefined).html;
    onPrice?.(extra);
  }

  return {
    total: () => amount + (shown?.amount ?? 0),
    update: (card, cardType) => {
      if (rates === undefined && shown === undefined) return;
      if (card === shownFor) return;
      shownFor = card;
      if (card === undefined) {
        if (shown !== undefined) show(undefined);
        return;
      }
      const surcharge = rates && surchargeFor(amount, rates, cardType);
      show(surcharge);
      onSurcharge(surcharge?.amount ?? 0);
    },
    correct: (total, card) => {
      shownFor = card;
      show({ amount: total - amount, cardType: undefined, percent: 0, fixed: 0 });
      onSurcharge(total - amount);
    },
  };
}
