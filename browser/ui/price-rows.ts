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
  const total = amount + (surcharge?.amount ?? 0);
  return html`<dl><div><dt>${words.amount}</dt><dd>${money(amount)}</dd></div><div class="price-extra">${extra(speech, surcharge)}</div><div class="price-total"><dt>${words.total}</dt><dd>${money(total)}</dd></div></dl>`;
}

function extra(speech: Speech, surcharge: Surcharge | undefined): Html {
  const { words, money } = speech;
  if (surcharge === undefined) return html`<dt class="price-note">${words.maySurcharge}</dt><dd></dd>`;
  const { amount, cardType } = surcharge;
  if (amount > 0)
    return html`<dt>${words.surcharge}${reason(speech, surcharge)}</dt><dd>${money(amount)}</dd>`;
  const none =
    cardType === undefined ? words.noSurcharge : fill(words.noSurchargeFor, { card: schemeName(cardType) });
  return html`<dt>${none}</dt><dd>${money(0)}</dd>`;
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
