import { type CardType, schemeName } from "../../src/kernel/card-type.ts";
import { fill, type Speech } from "../../src/kernel/languages/speech.ts";
import { type Html, html } from "./html.ts";

export type Surcharge = {
  readonly amount: number;
  /** Undefined: the number does not show the card's type. */
  readonly cardType: CardType | undefined;
  readonly percent: number;
  readonly fixed: number;
};

/** Amount, surcharge and total. The rows are as high before the card is known as after, so that nothing below them moves. */
export function priceRows(
  speech: Speech,
  amount: number,
  surcharge: Surcharge | undefined,
  surcharging: boolean,
): Html {
  if (surcharge === undefined && !surcharging) return html``;
  const { words, money } = speech;
  const extra = surcharge?.amount ?? 0;
  return html`<dl><div><dt>${words.amount}</dt><dd>${money(amount)}</dd></div><div class="price-extra"><dt>${labelOf(speech, surcharge)}</dt><dd>${surcharge && money(extra)}</dd></div><div class="price-total"><dt>${words.total}</dt><dd>${money(amount + extra)}</dd></div></dl>`;
}

function labelOf(speech: Speech, surcharge: Surcharge | undefined): Html {
  const { words } = speech;
  if (surcharge === undefined) return html`<span class="price-note">${words.maySurcharge}</span>`;
  const { amount, cardType, percent, fixed } = surcharge;
  const card = cardType === undefined ? "" : schemeName(cardType);
  if (amount === 0) return html`${card === "" ? words.free : fill(words.freeFor, { card })}`;
  const reason = `${card} ${rateText(speech, percent, fixed)}`.trim();
  return html`${words.surcharge}<span class="price-reason">${reason}</span>`;
}

/** "1.2% + $0.10", or the part that is not zero. */
export function rateText(speech: Speech, percent: number, fixed: number): string {
  const parts = [
    ...(percent > 0 ? [speech.percent(percent)] : []),
    ...(fixed > 0 ? [speech.money(fixed)] : []),
  ];
  return parts.join(" + ");
}
