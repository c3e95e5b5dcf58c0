import { type CardType, schemeName } from "../../src/kernel/card-type.ts";
import { type Html, html } from "./html.ts";
import { moneyText, rateText } from "./money-text.ts";

export type Surcharge = {
  readonly amount: number;
  /** Undefined: the number does not show the card's type. */
  readonly cardType: CardType | undefined;
  readonly percent: number;
  readonly fixed: number;
};

/** Amount, surcharge and total; until the card is known, a note that a surcharge may apply. */
export function priceRows(amount: number, surcharge: Surcharge | undefined, surcharging: boolean): Html {
  if (surcharge !== undefined) return rows(amount, surcharge);
  return surcharging ? MAY_APPLY : html``;
}

const MAY_APPLY = html`<p class="price-note">A surcharge may apply, depending on your card.</p>`;

function rows(amount: number, surcharge: Surcharge): Html {
  return html`<dl><div><dt>Amount</dt><dd>${moneyText(amount)}</dd></div><div><dt>Surcharge${reason(surcharge)}</dt><dd>${moneyText(surcharge.amount)}</dd></div><div class="price-total"><dt>Total</dt><dd>${moneyText(amount + surcharge.amount)}</dd></div></dl>`;
}

function reason({ cardType, percent, fixed }: Surcharge): Html {
  const parts = [...(cardType === undefined ? [] : [schemeName(cardType)]), rateText(percent, fixed)];
  const words = parts.filter((part) => part !== "").join(" ");
  return words === "" ? html`` : html`<span class="price-reason">${words}</span>`;
}
