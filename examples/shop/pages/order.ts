import { isWaiting, type Order, type Payment, type Standing, standingOf } from "../orders/order.ts";
import type { SavedCard } from "../orders/order-store.ts";
import { dollars } from "../orders/price.ts";
import type { ShopSettings } from "../settings.ts";

import { type Html, html } from "./html.ts";
import { layout } from "./layout.ts";
import { summary } from "./summary.ts";
import { waysToPay } from "./ways-to-pay.ts";

const TEXTS: Readonly<Record<Standing, readonly [string, string]>> = {
  unpaid: ["Not paid yet", "Choose how to pay."],
  open: ["Waiting for your payment", "This page updates as soon as our payment gateway confirms it."],
  pending: ["Your bank is working on it", "We'll know soon. You can close this page; your order is safe."],
  paid: ["Thank you, it's paid", "Your coffee is roasted on Tuesday and sent the next morning."],
  declined: ["The payment was declined", "You have not been charged. Try again, or pay another way."],
  refunding: ["Your money is on its way back", "The bank will confirm it."],
  refunded: ["Refunded", "The full amount was refunded."],
  disputed: ["The payment is disputed", "The payer's bank has taken the money back for now."],
  lost: ["The dispute is lost", "The payer keeps the money."],
};

/** The order's state. It shows only what the gateway has confirmed to the shop's server. */
export function orderPage(
  order: Order,
  card: SavedCard | undefined,
  settings: ShopSettings,
  count: number,
): Html {
  const standing = standingOf(order);
  const [title, words] = TEXTS[standing];
  const latest = order.payments.at(-1);
  const canPay = ["unpaid", "open", "declined"].includes(standing);
  const content = html`<div class="columns">
<section class="card order order-${standing}" aria-labelledby="standing">
<p class="badge">${standing}</p>
<h1 id="standing">${title}</h1><p>${words}</p>
${latest?.status === "declined" && html`<p class="note">The bank's reason: ${(latest.reason ?? "").replaceAll("_", " ")}.</p>`}
${standing === "open" && latest?.payId !== undefined && payIdCard(latest, order, settings)}
${standing === "open" && latest?.payId === undefined && latest?.method !== "hosted" && html`<p><a class="button" href="/orders/${order.id}/pay">Back to the payment</a></p>`}
${(standing === "pending" || standing === "refunding") && settleForm(order)}
${latest?.dispute?.status === "needs_response" && disputeForm(order)}
${latest?.dispute?.status === "under_review" && html`<p class="note">The payer's bank looks at your evidence.</p>`}
${standing === "paid" && html`<form method="post" action="/orders/${order.id}/refund"><button class="plain">Refund this order</button></form>`}
</section>
<section class="card" aria-labelledby="bought"><h2 id="bought">Your order</h2>${summary(order.basket)}
<p class="quiet">Number ${order.id}</p></section>
${
  canPay &&
  html`<section class="card" aria-labelledby="ways"><h2 id="ways">${standing === "open" ? "Pay another way" : "How would you like to pay?"}</h2>
${waysToPay({ action: `/orders/${order.id}/pay`, total: order.basket.total, card, chosen: standing === "open" ? "none" : null })}</section>`
}
${newsCard(order)}
</div>
<div id="watch" data-status="/orders/${order.id}/status" data-standing="${standing}"${isWaiting(order) && html` data-waiting`}></div>`;
  return layout({ title, count, content, scripts: ["/watch-order.js"], state: standing });
}

function payIdCard(
  { payId = "", paymentRequestId: requestId = "" }: Payment,
  order: Order,
  settings: ShopSettings,
): Html {
  const bankApp = new URL(`/sandbox/bankapp/${requestId}`, settings.hostedUrl);
  bankApp.search = new URLSearchParams({ payId }).toString();
  return html`<dl class="payid"><dt>PayID</dt><dd><code>${payId}</code></dd><dt>Amount</dt><dd>${dollars(order.basket.total)}</dd></dl>
<p>Pay exactly this amount from your bank's app.</p>
<p><a class="button" href="${bankApp.href}" target="_blank" rel="noopener">Open the sandbox's bank app</a></p>`;
}

/** In the sandbox the evidence `win` wins, and any other loses. */
function disputeForm({ id }: Order): Html {
  return html`<form method="post" action="/orders/${id}/dispute"><p class="field"><label for="evidence">Evidence</label>
<input id="evidence" name="evidence" value="win" maxlength="5000" required></p>
<button>Send the evidence</button> <button class="plain" name="accept" value="yes">Accept the dispute</button></form>`;
}

function settleForm({ id }: Order): Html {
  return html`<form method="post" action="/sandbox/settle"><input type="hidden" name="order" value="${id}">
<button class="plain">Sandbox: let the bank answer now</button></form>`;
}

/** For integrators: every webhook about this order, and how the shop handled it. */
function newsCard({ news }: Order): Html {
  return html`<details class="card news"><summary>Webhooks from the gateway&nbsp;<span class="count">${news.length}</span></summary>
<ol>${news.map(({ id, event, about, verdict }) => html`<li><span class="news-event">${event}</span> <span class="verdict">${verdict}</span><br><code>${about}</code><br><code class="quiet">${id}</code></li>\n`)}</ol>
<p class="quiet">Each was verified, and the payment was then read from the gateway. Repeated and outdated webhooks change nothing.</p></details>`;
}
