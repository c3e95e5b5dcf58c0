import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import type { Order, Payment } from "./order.ts";
import type { Basket, PricedBasket } from "./price.ts";

/** A card that the payer agreed to store. The gateway has the number; the shop has its ids. */
export type SavedCard = {
  readonly customerId: string;
  readonly paymentInstrumentId: string;
  readonly label: string;
};

type Payer = { readonly basket: Basket; readonly card?: SavedCard };
type State = { readonly orders: Record<string, Order>; readonly payers: Record<string, Payer> };

/** A real shop keeps this in its database. */
export type OrderStore = {
  readonly find: (id: string) => Order | undefined;
  /** The order that this payer's form has opened, if it was submitted before. */
  readonly findOpened: (payer: string, formKey: string) => Order | undefined;
  readonly open: (payer: string, basket: PricedBasket, formKey?: string) => Order;
  /** Reads, changes and writes in one step, so that no concurrent change is lost. */
  readonly change: (id: string, change: (order: Order) => Order) => void;
  /** An attempt that two submissions of a form share is added once. */
  readonly addPayment: (id: string, payment: Payment) => void;
  readonly ordersOf: (payer: string) => readonly Order[];
  readonly payer: (id: string) => Payer;
  readonly changePayer: (id: string, change: Partial<Payer>) => void;
};

export function openOrderStore(file: string | undefined): OrderStore {
  const kept = file !== undefined && existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
  const state: State = { orders: {}, payers: {}, ...(kept as Partial<State>) };
  const save = () => {
    if (file === undefined) return;
    // Replaces the file in one step, so that it is never half written.
    writeFileSync(`${file}.new`, JSON.stringify(state));
    renameSync(`${file}.new`, file);
  };
  const change: OrderStore["change"] = (id, next) => {
    const order = state.orders[id];
    if (order === undefined) return;
    state.orders[id] = next(order);
    save();
  };
  const payer = (id: string): Payer => state.payers[id] ?? { basket: {} };
  return {
    find: (id) => (Object.hasOwn(state.orders, id) ? state.orders[id] : undefined),
    findOpened: (payerId, formKey) =>
      Object.values(state.orders).find((order) => order.payer === payerId && order.formKey === formKey),
    open: (payerId, basket, formKey) => {
      const id = `order-${randomBytes(6).toString("hex")}`;
      const key = formKey === undefined ? {} : { formKey };
      const order: Order = { id, payer: payerId, ...key, basket, payments: [], news: [] };
      state.orders[id] = order;
      save();
      return order;
    },
    change,
    addPayment: (id, payment) =>
      change(id, (order) =>
        order.payments.some((one) => isSameAttempt(one, payment))
          ? order
          : { ...order, payments: [...order.payments, payment] },
      ),
    ordersOf: (id) =>
      Object.values(state.orders)
        .filter((order) => order.payer === id)
        .reverse(),
    payer,
    changePayer: (id, next) => {
      state.payers[id] = { ...payer(id), ...next };
      save();
    },
  };
}

/** A charge is known by its transaction, any other attempt by its payment request. */
function isSameAttempt(one: Payment, other: Payment): boolean {
  return one.paymentRequestId === undefined
    ? one.transactionId === other.transactionId
    : one.paymentRequestId === other.paymentRequestId;
}
