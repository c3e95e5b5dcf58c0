import { ATTEMPTS } from "../flows/pay-embedded.ts";
import type { Order } from "../orders/order.ts";
import { dollars } from "../orders/price.ts";
import type { ShopSettings } from "../settings.ts";
import { type Html, html } from "./html.ts";
import { layout } from "./layout.ts";
import { summary } from "./summary.ts";

const SAVING = html`<section class="card"><h1>Save a card</h1><p>Your bank checks it. You are not charged.</p>
<p class="quiet"><a href="/account">Not now</a></p></section>`;

function paying(order: Order): Html {
  return html`<section class="card"><h1>Pay ${dollars(order.basket.total)}</h1>${summary(order.basket)}
<p class="quiet"><a href="/orders/${order.id}">Pay another way</a></p></section>`;
}

/** The embedded checkout. The token is in the page, never in its URL; `pay.js` passes it to the gateway's script. */
export function payPage(order: Order, token: string, settings: ShopSettings, count: number): Html {
  const content = html`<div class="columns">
${order.basket.total === 0 ? SAVING : paying(order)}
<section class="card pay-card" aria-label="Payment">
<div id="checkout" data-token="${token}" data-attempts="${ATTEMPTS}" data-order="/orders/${order.id}"></div>
<p id="note" class="note" role="status" hidden></p>
<noscript><p class="note">This page needs JavaScript. <a href="/orders/${order.id}">Choose the hosted page</a>, which does not.</p></noscript>
</section></div>`;
  const scripts = [`${settings.hostedUrl}/static/pay/js/payui.js`, "/pay.js"];
  return layout({ title: "Pay", count, content, scripts });
}
