import { type CardType, schemeName } from "../../src/kernel/card-type.ts";
import type { Speech } from "../../src/kernel/languages/speech.ts";
import { type Html, html } from "./html.ts";

export type Surcharge = {
  readonly amount: number;
  /** Undefined: the number does not show the card's type. */
  readonly cardType: CardType | undefined;
  readonly percent: number;
  readonly fixed: number;
};

/** Amount, surcharge and total; until the card is known, a note that a surcharge may apply. */
export function priceRows(
  speech: Speech,
  amount: number,
  surcharge: Surcharge | undefined,
  surcharging: boolean,
): Html {
  if (surcharge !== undefined) return rows(speech, amount, surcharge);
  return html`${surcharging && html`<p class="price-note">${speech.words.maySurcharge}</p>`}`;
}

function rows(speech: Speech, amount: number, surcharge: Surcharge): Html {
  const { words, money } = speech;
  return html`<dl><div><dt>${words.amount}</dt><dd>${money(amount)}</dd></div><div><dt>${words.surcharge}${reason(speech, surcharge)}</dt><dd>${money(surcharge.amount)}</dd></div><div class="price-total"><dt>${words.total}</dt><dd>${money(amount + surcharge.amount)}</dd></div></dl>`;
}

function reason(speech: Speech, { cardType, percent, fixed }: Surcharge): Html {
  const parts = [...(cardType === undefined ? [] : [schemeName(cardType)]), rateText(speech, percent, fixed)];
  const words = parts.filter((part) => part !== "").join(" ");
  return words === "" ? html`` : html`<span class="price-reason">${words}</span>`;
}

/** "1.2% + $0.10", or the part that is not zero. */
export function rateText(speech: Speech, percent: number, fixed: number): string {
  const parts = [
    ...(percent > 0 ? [speech.percent(percent)] : []),
    ...(fixed > 0 ? [speech.money(fixed)] : []),
  ];
  return parts.join(" + ");
}
