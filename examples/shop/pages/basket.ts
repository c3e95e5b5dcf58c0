import type { Order } from "../orders/order.ts";
import type { SavedCard } from "../orders/order-store.ts";
import type { PricedBasket } from "../orders/price.ts";
import { type Html, html } from "./html.ts";
import { layout } from "./layout.ts";
import { summary } from "./summary.ts";
import { type SentBack, waysToPay } from "./ways-to-pay.ts";

type BasketPage = {
  readonly basket: PricedBasket;
  readonly card: SavedCard | undefined;
  readonly chosen: string | null;
  readonly count: number;
  /** A rejected form of an existing order. */
  readonly back?: SentBack & { readonly order: Order };
};

/** Basket and ways to pay on one page. */
export function basketPage({ basket, card, chosen, count, back }: BasketPage): Html {
  if (basket.lines.length === 0) {
    const content = html`<section class="narrow card"><h1>Your basket</h1><p>It is empty.</p><p><a class="button" href="/">To the coffee</a></p></section>`;
    return layout({ title: "Basket", count, content });
  }
  const action = back === undefined ? "/orders" : `/orders/${back.order.id}/pay`;
  const content = html`<div class="columns">
<section class="card" aria-labelledby="basket"><h1 id="basket">${back === undefined ? "Your basket" : "Your order"}</h1>
${summary(basket, back === undefined)}</section>
<section class="card" aria-labelledby="ways"><h2 id="ways">How would you like to pay?</h2>
${waysToPay({ action, total: basket.total, card, chosen, back })}</section>
</div>`;
  return layout({ title: "Basket", count, content, state: back === undefined ? "ready" : "error" });
}
