import type { FieldProblems } from "../flows/start-payment.ts";
import type { Method, Order } from "../orders/order.ts";
import type { SavedCard } from "../orders/order-book.ts";
import { dollars, type PricedBasket } from "../orders/price.ts";
import { type Html, html } from "./html.ts";
import { layout } from "./layout.ts";
import { summary } from "./summary.ts";

/** A form that came back: the order that is being paid, what was typed, and what is wrong with it. */
type SentBack = { readonly order: Order; readonly problems: FieldProblems; readonly form: URLSearchParams };

/** Basket and ways to pay on one page. No script: each way is a form of its own that opens. */
export function basketPage(
  basket: PricedBasket,
  card: SavedCard | undefined,
  chosen: string | null,
  count: number,
  back?: SentBack,
): Html {
  if (basket.lines.length === 0) {
    const content = html`<section class="narrow card"><h1>Your basket</h1><p>It is empty.</p><p><a class="button" href="/">To the coffee</a></p></section>`;
    return layout({ title: "Basket", count, content });
  }
  const action = back === undefined ? "/orders" : `/orders/${back.order.id}/pay`;
  const content = html`<div class="columns">
<section class="card" aria-labelledby="basket"><h1 id="basket">${back === undefined ? "Your basket" : "Your order"}</h1>
${summary(basket, back === undefined)}</section>
<section class="card" aria-labelledby="ways"><h2 id="ways">How would you like to pay?</h2>
${waysToPay(action, basket.total, card, chosen, back)}</section>
</div>`;
  return layout({ title: "Basket", count, content, state: back === undefined ? "ready" : "error" });
}

/** Every way to pay, each a form. */
export function waysToPay(
  action: string,
  total: number,
  card: SavedCard | undefined,
  chosen: string | null,
  back?: SentBack,
): Html {
  const problems = back?.problems ?? {};
  const typed = (name: string, standard: string) => back?.form.get(name) ?? standard;
  const field = (
    name: string,
    label: string,
    standard: string,
    complete: string,
  ) => html`<p class="field"><label for="${name}-${complete}">${label}</label>
<input id="${name}-${complete}" name="${name}" value="${typed(name, standard)}" autocomplete="${complete}"${problems[name] !== undefined && html` aria-invalid="true" aria-describedby="${name}-problem"`}>
${problems[name] !== undefined && html`<span class="problem" id="${name}-problem">${problems[name]}</span>`}</p>`;
  const payer = html`${field("name", "Name", "Ann Lee", "name")}${field("email", "E-mail", "ann@example.com", "email")}`;
  const way = (
    method: Method,
    title: string,
    words: string,
    button: string,
    fields?: Html,
  ) => html`<details class="way" name="way"${(chosen ?? "card") === method && html` open`}>
<summary>${title}</summary>
<form method="post" action="${action}"><input type="hidden" name="method" value="${method}">
<p>${words}</p>${fields}<button>${button}</button></form></details>`;
  return html`<div class="ways">
${card !== undefined && way("saved", `Your ${card.label}`, "Stored at your last order. One press, no form.", `Pay ${dollars(total)} now`)}
${way("card", "Card or wallet", "On this site, in a frame of the payment gateway.", "Continue to payment")}
${way("hosted", "Hosted page", "On a page of the payment gateway; you come back when it is done.", "Go to the payment page")}
${way("save", "Card, saved for next time", "As above, and the card is stored for your subscription, if you agree.", "Continue and save", payer)}
${way(
  "debit",
  "Direct debit",
  "From an Australian bank account. Your bank answers later.",
  `Debit ${dollars(total)}`,
  html`${payer}${field("accountName", "Account name", "Ann Lee", "off")}<div class="pair">${field("bsb", "BSB", "062000", "off")}${field("number", "Account number", "12345678", "off")}</div>`,
)}
${way("payid", "PayID", "A transfer from your bank's app; it arrives within seconds.", "Show the PayID")}
</div>`;
}
