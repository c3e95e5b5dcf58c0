import { type Html, html } from "../../../browser/ui/html.ts";
import { priceRows, type Surcharge } from "../../../browser/ui/price-rows.ts";
import { fill } from "../../kernel/languages/speech.ts";
import type { PayersView } from "../payers-view.ts";

export type ConfirmModel = {
  readonly action: string;
  readonly backTo: string;
  readonly amount: number;
  readonly surcharge: Surcharge;
  /** Such as "Visa ending in 1111". */
  readonly card: string;
  readonly hidden: Readonly<Record<string, string>>;
};

/**
 * Without scripts the surcharge is known only after the form was submitted: this form shows it before the charge. It may
 * have ended since the payer saw it.
 */
export function confirmForm(
  { speech, language: { page } }: PayersView,
  { action, backTo, amount, surcharge, card, hidden }: ConfirmModel,
): Html {
  const total = speech.money(amount + surcharge.amount);
  return html`<form class="card-form confirm" method="post" action="${action}">
<h1 class="confirm-heading">${page.checkTotal}</h1>
${surcharge.amount > 0 && html`<p class="confirm-words">${fill(page.surchargeOn, { card })}</p>`}
${Object.keys(hidden).map((name) => html`<input type="hidden" name="${name}" value="${hidden[name]}">`)}
<div class="price">${priceRows(speech, amount, surcharge, true)}</div>
<button class="pay" type="submit"><span class="pay-words">${fill(speech.words.payTotal, { total })}</span></button>
<p class="ways"><a class="quiet quiet-link" href="${backTo}">${speech.words.useAnotherCard}</a></p>
</form>`;
}
