import { lookUpOrder } from "../flows/look-up.ts";
import { tokenFor } from "../flows/pay-embedded.ts";
import { refundOrder } from "../flows/refund-order.ts";
import { respondToDispute } from "../flows/respond-to-dispute.ts";
import { startPayment } from "../flows/start-payment.ts";
import { isWaiting, METHODS, type Order, standingOf } from "../orders/order.ts";
import { MOST_OF_ONE, priced } from "../orders/price.ts";
import { accountPage } from "../pages/account.ts";
import { basketPage } from "../pages/basket.ts";
import { errorPage } from "../pages/error.ts";
import { FORM_KEY } from "../pages/form-key.ts";
import { frontPage } from "../pages/front.ts";
import { orderPage } from "../pages/order.ts";
import { payPage } from "../pages/pay.ts";
import { tourPage } from "../pages/tour.ts";
import type { Shop } from "../shop.ts";
import { type Answer, json, page, seeOther } from "./answer.ts";

/** One request of a payer. `id` is the variable part of the path. */
export type Visit = {
  readonly payer: string;
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
  { method: "GET", path: /^\/orders\/([\w-]+)\/status$/, answer: withOrder(showStatus) },
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
  {
    method: "POST",
    path: /^\/orders\/([\w-]+)\/dispute$/,
    answer: withOrder(async (shop, order, { form }) => {
      await respondToDispute(shop, order, form.has("accept") ? undefined : (form.get("evidence") ?? ""));
      return seeOther(`/orders/${order.id}`);
    }),
  },
  { method: "GET", path: /^\/account$/, answer: showAccount },
  { method: "POST", path: /^\/account\/card$/, answer: addCard },
  { method: "POST", path: /^\/account\/again$/, answer: chargeAgain },
  { method: "POST", path: /^\/sandbox\/settle$/, answer: settleNow },
];

function countOf({ orders }: Shop, { payer }: Visit): number {
  return Object.values(orders.payer(payer).basket).reduce((sum, quantity) => sum + quantity, 0);
}

function changeBasket({ orders }: Shop, { payer, form }: Visit): Answer {
  const { basket } = orders.payer(payer);
  const product = form.get("product") ?? "";
  const added = form.has("add") ? (basket[product] ?? 0) + 1 : Number(form.get("quantity"));
  const quantity = Math.min(MOST_OF_ONE, Math.max(0, Math.trunc(added) || 0));
  const { [product]: _, ...others } = basket;
  orders.changePayer(payer, { basket: quantity === 0 ? others : { ...basket, [product]: quantity } });
  return seeOther("/basket");
}

/** A stop of the tour: one product in the basket, and its way to pay open. */
function beginTour({ orders }: Shop, { payer, form }: Visit): Answer {
  orders.changePayer(payer, { basket: { [form.get("product") ?? ""]: 1 } });
  return seeOther(`/basket?with=${encodeURIComponent(form.get("way") ?? "")}`);
}

function showBasket(shop: Shop, visit: Visit): Answer {
  const { basket, card } = shop.orders.payer(visit.payer);
  const chosen = visit.query.get("with");
  return page(basketPage({ basket: priced(basket), card, chosen, count: countOf(shop, visit) }));
}

/**
 * Turns the basket into an order, priced now, and starts its payment. The goods leave the basket before anything is awaited:
 * a second submission finds the order of its form, or an empty basket. Whatever follows, they can be paid on the order's page.
 */
async function openOrder(shop: Shop, visit: Visit): Promise<Answer> {
  const opened = openedBy(shop, visit);
  if (opened !== undefined) return pay(shop, opened, visit);
  const basket = priced(shop.orders.payer(visit.payer).basket);
  if (basket.total === 0) return seeOther("/basket");
  const order = shop.orders.open(visit.payer, basket, formKeyOf(visit));
  shop.orders.changePayer(visit.payer, { basket: {} });
  return pay(shop, order, visit);
}

function formKeyOf({ form }: Visit): string | undefined {
  return form.get(FORM_KEY) ?? undefined;
}

/** The order that an earlier submission of this form has opened. */
function openedBy({ orders }: Shop, visit: Visit): Order | undefined {
  const formKey = formKeyOf(visit);
  return formKey === undefined ? undefined : orders.findOpened(visit.payer, formKey);
}

async function pay(shop: Shop, order: Order, { form, payer }: Visit): Promise<Answer> {
  const method = METHODS.find((one) => one === form.get("method")) ?? "card";
  const started = await startPayment(shop, order, method, form);
  if ("goTo" in started) return seeOther(started.goTo);
  const { card } = shop.orders.payer(payer);
  const back = { order, problems: started.problems, form };
  return page(basketPage({ basket: order.basket, card, chosen: method, count: 0, back }), 400);
}

/** Answers only for an order of this payer. */
function withOrder(
  answer: (shop: Shop, order: Order, visit: Visit) => Answer | Promise<Answer>,
): Route["answer"] {
  return (shop, visit) => {
    const order = shop.orders.find(visit.id);
    if (order === undefined || order.payer !== visit.payer) return page(errorPage("unknown"), 404);
    return answer(shop, order, visit);
  };
}

async function showOrder(shop: Shop, order: Order, visit: Visit): Promise<Answer> {
  // Only a card was saved.
  if (order.basket.total === 0) {
    await lookUpOrder(shop, order.id);
    return seeOther("/account");
  }
  const { card } = shop.orders.payer(visit.payer);
  return page(orderPage(order, card, shop.settings, countOf(shop, visit)));
}

/** When an order's page started to wait, or when the shop last looked the order up because no webhook came. */
const checkedAt = new Map<string, number>();
const CHECK_EVERY_MS = 5_000;

/** The page polls this until the state is final. Webhooks update orders; if one is late, the shop looks the order up. */
async function showStatus(shop: Shop, order: Order): Promise<Answer> {
  if (!isWaiting(order)) checkedAt.delete(order.id);
  else if (!checkedAt.has(order.id)) checkedAt.set(order.id, Date.now());
  else if (Date.now() - (checkedAt.get(order.id) ?? 0) > CHECK_EVERY_MS) {
    checkedAt.set(order.id, Date.now());
    await lookUpOrder(shop, order.id);
  }
  const now = shop.orders.find(order.id) ?? order;
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
  const { card } = shop.orders.payer(visit.payer);
  const orders = shop.orders.ordersOf(visit.payer).filter(({ basket }) => basket.total > 0);
  return page(accountPage(card, orders, countOf(shop, visit)));
}

/** Stores a card without a charge: an order without goods. */
async function addCard(shop: Shop, visit: Visit): Promise<Answer> {
  const order = openedBy(shop, visit) ?? shop.orders.open(visit.payer, priced({}), formKeyOf(visit));
  return pay(shop, order, { ...visit, form: new URLSearchParams({ method: "verify" }) });
}

/** Charges the subscription's next month without the payer, as a timer would. */
async function chargeAgain(shop: Shop, visit: Visit): Promise<Answer> {
  const formKey = formKeyOf(visit);
  if (formKey === undefined) return seeOther("/account");
  const order = openedBy(shop, visit) ?? shop.orders.open(visit.payer, priced({ lighthouse: 1 }), formKey);
  return pay(shop, order, { ...visit, form: new URLSearchParams({ method: "saved" }) });
}

/** In the sandbox, settlements run on request. */
async function settleNow(shop: Shop, { form }: Visit): Promise<Answer> {
  await shop.tidegate.sandbox.runSettlements();
  const order = shop.orders.find(form.get("order") ?? "");
  return seeOther(order === undefined ? "/account" : `/orders/${order.id}`);
}
