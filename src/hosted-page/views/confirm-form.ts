import { type Html, html } from "../../../browser/ui/html.ts";
import { moneyText } from "../../../browser/ui/money-text.ts";
import { priceRows, type Surcharge } from "../../../browser/ui/price-rows.ts";

export type ConfirmModel = {
  readonly action: string;
  readonly backTo: string;
  readonly amount: number;
  readonly surcharge: Surcharge;
  /** Such as "Visa ending in 1111". */
  readonly card: string;
  readonly hidden: Readonly<Record<string, string>>;
};

/** Without scripts the surcharge is known only after the form was submitted: this form shows it before the charge. */
export function confirmForm({ action, backTo, amount, surcharge, card, hidden }: ConfirmModel): Html {
  const total = moneyText(amount + surcharge.amount);
  return html`<form class="card-form confirm" method="post" action="${action}">
<h1 class="confirm-heading">Check the total</h1>
<p class="confirm-words">A surcharge applies to your ${card}. You have not been charged yet.</p>
${Object.keys(hidden).map((name) => html`<input type="hidden" name="${name}" value="${hidden[name]}">`)}
<div class="price">${priceRows(amount, surcharge, true)}</div>
<button class="pay" type="submit"><span class="pay-words">Pay ${total}</span></button>
<p class="ways"><a class="quiet quiet-link" href="${backTo}">Use another card</a></p>
</form>`;
}
