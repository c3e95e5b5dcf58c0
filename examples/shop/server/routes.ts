import { lookUpOrder } from "../flows/look-up.ts";
import { tokenFor } from "../flows/pay-embedded.ts";
import { refundOrder } from "../flows/refund-order.ts";
import { startPayment } from "../flows/start-payment.ts";
import { isWaiting, METHODS, type Order, standingOf } from "../orders/order.ts";
import { MOST_OF_ONE, priced } from "../orders/price.ts";
import { accountPage } from "../pages/account.ts";
import { basketPage } from "../pages/basket.ts";
import { frontPage } from "../pages/front.ts";
import { orderPage } from "../pages/order.ts";
import { payPage } from "../pages/pay.ts";
import { tourPage } from "../pages/tour.ts";
import { troublePage } from "../pages/trouble.ts";
import type { Shop } from "../shop.ts";
import { type Answer, json, page, seeOther } from "./answer.ts";

/** One request of a shopper. `id` is the part of the path that varies. */
export type Visit = {
  readonly shopper: string;
  readonly id: string;
  readonly form: URLSearchParams;
  readonly query: URLSearchParams;
};

type Route = {
  readonly method: "GET" | "POST";
  readonly path: RegExp;
  readonly answer: (shop: Shop, visit: Visit) => Answer | Promise<Answer>;
};

export const ROUTES: readonly Route[] = [
  { method: "GET", path: /^\/$/, answer: (shop, visit) => page(frontPage(countOf(shop, visit))) },
  {
    method: "GET",
    path: /^\/tour$/,
    answer: (shop, visit) => page(tourPage(shop.settings, countOf(shop, visit))),
  },
  { method: "POST", path: /^\/tour$/, answer: beginTour },
  { method: "POST", path: /^\/basket$/, answer: changeBasket },
  { method: "GET", path: /^\/basket$/, answer: showBasket },
  { method: "POST", path: /^\/orders$/, answer: openOrder },
  { method: "GET", path: /^\/orders\/([\w-]+)$/, answer: withOrder(showOrder) },
  { method: "GET", path: /^\/orders\/([\w-]+)\/status$/, answer: withOrder(tellStatus) },
  { method: "GET", path: /^\/orders\/([\w-]+)\/pay$/, answer: withOrder(showPayPage) },
  {
    method: "POST",
    path: /^\/orders\/([\w-]+)\/pay$/,
    answer: withOrder((shop, order, visit) => pay(shop, order, visit)),
  },
  {
    method: "POST",
    path: /^\/orders\/([\w-]+)\/refund$/,
    answer: withOrder(async (shop, order) => {
      await refundOrder(shop, order);
      return seeOther(`/orders/${order.id}`);
    }),
  },
  { method: "GET", path: /^\/account$/, answer: showAccount },
  { method: "POST", path: /^\/account\/again$/, answer: chargeAgain },
  { method: "POST", path: /^\/sandbox\/settle$/, answer: settleNow },
];

function countOf({ book }: Shop, { shopper }: Visit): number {
  return Object.values(book.shopper(shopper).basket).reduce((sum, quantity) => sum + quantity, 0);
}

function changeBasket({ book }: Shop, { shopper, form }: Visit): Answer {
  const { basket } = book.shopper(shopper);
  const product = form.get("product") ?? "";
  const added = form.has("add") ? (basket[product] ?? 0) + 1 : Number(form.get("quantity"));
  const quantity = Math.min(MOST_OF_ONE, Math.max(0, Math.trunc(added) || 0));
  const { [product]: _, ...others } = basket;
  book.changeShopper(shopper, { basket: quantity === 0 ? others : { ...basket, [product]: quantity } });
  return seeOther("/basket");
}

/** A stop of the tour: this one thing in the basket, and this way to pay opened. */
function beginTour({ book }: Shop, { shopper, form }: Visit): Answer {
  book.changeShopper(shopper, { basket: { [form.get("product") ?? ""]: 1 } });
  return seeOther(`/basket?with=${encodeURIComponent(form.get("way") ?? "")}`);
}

function showBasket(shop: Shop, visit: Visit): Answer {
  const { basket, card } = shop.book.shopper(visit.shopper);
  return page(basketPage(priced(basket), card, visit.query.get("with"), countOf(shop, visit)));
}

/** The basket becomes an order, priced now, and the payer goes on to pay. */
async function openOrder(shop: Shop, visit: Visit): Promise<Answer> {
  const basket = priced(shop.book.shopper(visit.shopper).basket);
  if (basket.total === 0) return seeOther("/basket");
  const order = shop.book.open(visit.shopper, basket);
  const answer = await pay(shop, order, visit);
  if (answer.status === 303) shop.book.changeShopper(visit.shopper, { basket: {} });
  return answer;
}

async function pay(shop: Shop, order: Order, { form, shopper }: Visit): Promise<Answer> {
  const method = METHODS.find((one) => one === form.get("method")) ?? "card";
  const started = await startPayment(shop, order, method, form);
  if ("goTo" in started) return seeOther(started.goTo);
  const { card } = shop.book.shopper(shopper);
  return page(basketPage(order.basket, card, method, 0, { order, problems: started.problems, form }), 400);
}

/** An order of this shopper's, or nothing at all. */
function withOrder(
  answer: (shop: Shop, order: Order, visit: Visit) => Answer | Promise<Answer>,
): Route["answer"] {
  return (shop, visit) => {
    const order = shop.book.find(visit.id);
    if (order === undefined || order.shopper !== visit.shopper) return page(troublePage("unknown"), 404);
    return answer(shop, order, visit);
  };
}

function showOrder(shop: Shop, order: Order, visit: Visit): Answer {
  const { card } = shop.book.shopper(visit.shopper);
  return page(orderPage(order, card, shop.settings, countOf(shop, visit)));
}

/** Since when an order's page waits, or when the gateway was last asked about it because no webhook came. */
const asked = new Map<string, number>();
const ASK_EVERY_MS = 5_000;

/** The page asks this until all is said. Webhooks do the work; where one is late, we ask the gateway ourselves. */
async function tellStatus(shop: Shop, order: Order): Promise<Answer> {
  if (!isWaiting(order)) asked.delete(order.id);
  else if (!asked.has(order.id)) asked.set(order.id, Date.now());
  else if (Date.now() - (asked.get(order.id) ?? 0) > ASK_EVERY_MS) {
    asked.set(order.id, Date.now());
    await lookUpOrder(shop, order.id);
  }
  const now = shop.book.find(order.id) ?? order;
  return json({ standing: standingOf(now), news: now.news.length });
}

async function showPayPage(shop: Shop, order: Order, visit: Visit): Promise<Answer> {
  const open = order.payments.findLast(({ status }) => status === "open");
  if (open?.paymentRequestId === undefined || open.payId !== undefined || open.method === "hosted") {
    return seeOther(`/orders/${order.id}`);
  }
  const token = await tokenFor(shop, open.paymentRequestId);
  return page(payPage(order, token, shop.settings, countOf(shop, visit)));
}

function showAccount(shop: Shop, visit: Visit): Answer {
  const { card } = shop.book.shopper(visit.shopper);
  return page(accountPage(card, shop.book.ordersOf(visit.shopper), countOf(shop, visit)));
}

/** The subscription's next bag: charged without the payer, as a timer would do each month. */
async function chargeAgain(shop: Shop, visit: Visit): Promise<Answer> {
  const order = shop.book.open(visit.shopper, priced({ lighthouse: 1 }));
  return pay(shop, order, { ...visit, form: new URLSearchParams({ method: "saved" }) });
}

/** In the sandbox nobody has to wait for a bank. */
async function settleNow(shop: Shop, { form }: Visit): Promise<Answer> {
  await shop.tidegate.sandbox.runSettlements();
  const order = shop.book.find(form.get("order") ?? "");
  return seeOther(order === undefined ? "/account" : `/orders/${order.id}`);
}
