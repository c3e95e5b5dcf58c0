import { type Order, standingOf } from "../orders/order.ts";
import type { SavedCard } from "../orders/order-store.ts";
import { dollars } from "../orders/price.ts";
import { formKeyField } from "./form-key.ts";
import { type Html, html } from "./html.ts";
import { layout } from "./layout.ts";

export function accountPage(card: SavedCard | undefined, orders: readonly Order[], count: number): Html {
  const content = html`<div class="columns">
<section class="card" aria-labelledby="subscription"><h1 id="subscription">Your subscription</h1>
${
  card === undefined
    ? html`<p>A bag of Lighthouse each month, from a card that you save. Buy something with <strong>Card, saved for next time</strong> first.</p><p><a class="button" href="/">To the coffee</a></p>`
    : html`<p>A bag of Lighthouse each month, from your <strong>${card.label}</strong>.</p>
<form method="post" action="/account/again">${formKeyField()}<button>Charge the next month now</button></form>
<p class="quiet">A real shop does this with a timer, without you.</p>`
}
<form method="post" action="/account/card">${formKeyField()}<button class="plain">${card === undefined ? "Save a card without paying" : "Save another card without paying"}</button></form></section>
<section class="card" aria-labelledby="orders"><h2 id="orders">Your orders</h2>
${
  orders.length === 0
    ? html`<p>None yet.</p>`
    : html`<ul class="orders">${orders.map(
        (
          order,
        ) => html`<li><a class="orders-order" href="/orders/${order.id}">${order.basket.lines.map(({ title }) => title).join(", ")}</a>
<span class="money">${dollars(order.basket.total)}</span> <span class="badge">${standingOf(order)}</span></li>\n`,
      )}</ul>`
}</section>
</div>`;
  return layout({ title: "Account", count, content });
}
