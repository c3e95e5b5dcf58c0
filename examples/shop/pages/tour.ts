import type { ShopSettings } from "../settings.ts";
import { type Html, html } from "./html.ts";
import { layout } from "./layout.ts";

type Stop = {
  readonly title: string;
  readonly words: string;
  readonly file: string;
  readonly basket: string;
  readonly way: string;
};

const STOPS: readonly Stop[] = [
  {
    title: "Embedded checkout",
    words:
      "Card form and wallets in a frame on the shop's page. Any card number that passes the Luhn check works: 4111\u00a01111\u00a01111\u00a01111.",
    file: "flows/pay-embedded.ts",
    basket: "lighthouse",
    way: "card",
  },
  {
    title: "Apple Pay and Google Pay",
    words:
      "Buttons above the card form. In the sandbox the gateway's own sheet simulates the vendors', in any browser.",
    file: "flows/pay-embedded.ts",
    basket: "night-ferry",
    way: "card",
  },
  {
    title: "Hosted page",
    words: "The payer goes to the gateway's page and comes back. Works without JavaScript.",
    file: "flows/pay-hosted.ts",
    basket: "night-ferry",
    way: "hosted",
  },
  {
    title: "Saved card, then a recurring charge",
    words: "The card is stored with consent; the account page charges it again.",
    file: "flows/pay-saved-card.ts",
    basket: "fog-signal",
    way: "save",
  },
  {
    title: "Returning customer",
    words:
      "Once a card is saved, the frame offers it: you enter the security code only. Save one first, on the account page or with the stop before.",
    file: "flows/pay-embedded.ts",
    basket: "night-ferry",
    way: "card",
  },
  {
    title: "Direct debit",
    words: "A bank account, a pending charge, and a webhook when the bank has answered.",
    file: "flows/pay-by-debit.ts",
    basket: "low-tide",
    way: "debit",
  },
  {
    title: "PayID",
    words: "The shop shows a PayID; you pay in the sandbox's bank app.",
    file: "flows/pay-by-payid.ts",
    basket: "lighthouse",
    way: "payid",
  },
  {
    title: "A decline",
    words: "The bank declines; the order shows the reason and stays open for another attempt.",
    file: "flows/look-up.ts",
    basket: "declined",
    way: "card",
  },
  {
    title: "Another attempt in the frame",
    words: "The first attempt is declined. Enter the card again: the second one is approved.",
    file: "flows/pay-embedded.ts",
    basket: "second-time",
    way: "card",
  },
  {
    title: "A dispute",
    words: "A few seconds after the payment its payer disputes it. The order's page sends evidence.",
    file: "flows/respond-to-dispute.ts",
    basket: "disputed",
    way: "card",
  },
  {
    title: "3D Secure",
    words: "The bank challenges the payer. Approve or fail the challenge.",
    file: "flows/pay-embedded.ts",
    basket: "challenge",
    way: "card",
  },
];

/** One page with an entry to every flow. Each button fills the basket. */
export function tourPage({ gatewayUrl }: ShopSettings, count: number): Html {
  const content = html`<section class="welcome"><h1>All ways to pay</h1>
<p>Each one is a file in <code>examples/shop</code>. Refund any order from its page; the webhooks are listed there, too.</p></section>
<ul class="stops">${STOPS.map(
    ({ title, words, file, basket, way }) => html`<li class="card stop"><h2>${title}</h2><p>${words}</p>
<form method="post" action="/tour"><input type="hidden" name="product" value="${basket}"><input type="hidden" name="way" value="${way}">
<button>Try it</button> <code class="quiet">${file}</code></form></li>\n`,
  )}</ul>
<section class="card links" aria-labelledby="more"><h2 id="more">More</h2><ul>
<li><a href="${gatewayUrl}/dashboard">Dashboard</a>: every payment on one page</li>
<li><a href="${gatewayUrl}/docs">API reference</a></li>
<li><a href="/#sandbox">The sandbox shelf</a>: prices that trigger declines, challenges and lost answers</li>
<li><a href="/account">Account</a>: subscription, orders, and a card saved without a charge (<code>flows/save-card.ts</code>)</li>
</ul></section>`;
  return layout({ title: "All ways to pay", count, content });
}
