import { dollars, type Line, MOST_OF_ONE, type PricedBasket } from "../orders/price.ts";
import { type Html, html } from "./html.ts";

/** The items and their prices. */
export function summary({ lines, shipping, total }: PricedBasket, canChange = false): Html {
  return html`<table class="lines"><caption class="hidden-title">What you buy</caption>
<tbody>${lines.map((line) => html`<tr><th scope="row">${line.title}</th><td>${canChange ? quantityForm(line) : html`${line.quantity} ×`}</td><td class="money">${dollars(line.price * line.quantity)}</td></tr>\n`)}</tbody>
<tfoot>${shipping > 0 && html`<tr><th scope="row" colspan="2">Shipping</th><td class="money">${dollars(shipping)}</td></tr>`}
<tr class="total"><th scope="row" colspan="2">Total</th><td class="money">${dollars(total)}</td></tr></tfoot></table>`;
}

function quantityForm({ id, title, quantity }: Line): Html {
  const step = (to: number, sign: string, words: string) =>
    html`<button class="step" name="quantity" value="${to}" aria-label="${words} ${title}">${sign}</button>`;
  return html`<form class="quantity" method="post" action="/basket"><input type="hidden" name="product" value="${id}">
${step(quantity - 1, "−", "One less of")}<span>${quantity}</span>${step(Math.min(MOST_OF_ONE, quantity + 1), "+", "One more of")}</form>`;
}
