import type { Order } from "../orders/order.ts";
import { dollars } from "../orders/price.ts";
import type { ShopSettings } from "../settings.ts";
import { type Html, html } from "./html.ts";
import { layout } from "./layout.ts";
import { summary } from "./summary.ts";

/** The embedded checkout. The token is in the page, never in its URL; `pay.js` passes it to the gateway's script. */
export function payPage(order: Order, token: string, settings: ShopSettings, count: number): Html {
  const content = html`<div class="columns">
<section class="card"><h1>Pay ${dollars(order.basket.total)}</h1>${summary(order.basket)}
<p class="quiet"><a href="/orders/${order.id}">Pay another way</a></p></section>
<section class="card pay-card" aria-label="Payment">
<div id="checkout" data-token="${token}" data-order="/orders/${order.id}"></div>
<p id="note" class="note" role="status" hidden></p>
<noscript><p class="note">This page needs JavaScript. <a href="/orders/${order.id}">Choose the hosted page</a>, which does not.</p></noscript>
</section></div>`;
  const scripts = [`${settings.hostedUrl}/static/pay/js/payui.js`, "/pay.js"];
  return layout({ title: "Pay", count, content, scripts });
}
