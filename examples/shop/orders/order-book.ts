import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import type { Order, Payment } from "./order.ts";
import type { Basket, PricedBasket } from "./price.ts";

/** A card that the payer agreed to have stored. The number is at the gateway; we know what to call it. */
export type SavedCard = {
  readonly customerId: string;
  readonly paymentInstrumentId: string;
  readonly label: string;
};

type Shopper = { readonly basket: Basket; readonly card?: SavedCard };
type State = { readonly orders: Record<string, Order>; readonly shoppers: Record<string, Shopper> };

/** What a real shop keeps in its database. */
export type OrderBook = {
  readonly find: (id: string) => Order | undefined;
  readonly open: (shopper: string, basket: PricedBasket) => Order;
  /** Reads, changes and writes in one go, so that two changes at once can't lose one. */
  readonly change: (id: string, change: (order: Order) => Order) => void;
  readonly addPayment: (id: string, payment: Payment) => void;
  readonly ordersOf: (shopper: string) => readonly Order[];
  readonly shopper: (id: string) => Shopper;
  readonly changeShopper: (id: string, change: Partial<Shopper>) => void;
};

export function openOrderBook(file: string | undefined): OrderBook {
  const state: State =
    file !== undefined && existsSync(file)
      ? (JSON.parse(readFileSync(file, "utf8")) as State)
      : { orders: {}, shoppers: {} };
  const keep = () => {
    if (file === undefined) return;
    // A file that is replaced whole is never half a file.
    writeFileSync(`${file}.new`, JSON.stringify(state));
    renameSync(`${file}.new`, file);
  };
  const change: OrderBook["change"] = (id, next) => {
    const order = state.orders[id];
    if (order === undefined) return;
    state.orders[id] = next(order);
    keep();
  };
  const shopper = (id: string): Shopper => state.shoppers[id] ?? { basket: {} };
  return {
    find: (id) => (Object.hasOwn(state.orders, id) ? state.orders[id] : undefined),
    open: (shopperId, basket) => {
      const id = `order-${randomBytes(6).toString("hex")}`;
      const order: Order = { id, shopper: shopperId, basket, payments: [], news: [] };
      state.orders[id] = order;
      keep();
      return order;
    },
    change,
    addPayment: (id, payment) =>
      change(id, (order) => ({ ...order, payments: [...order.payments, payment] })),
    ordersOf: (id) =>
      Object.values(state.orders)
        .filter((order) => order.shopper === id)
        .reverse(),
    shopper,
    changeShopper: (id, next) => {
      state.shoppers[id] = { ...shopper(id), ...next };
      keep();
    },
  };
}
