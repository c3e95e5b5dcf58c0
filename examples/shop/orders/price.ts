import { findProduct } from "./catalogue.ts";

/** Quantities by product. */
export type Basket = Readonly<Record<string, number>>;

export type Line = {
  readonly id: string;
  readonly title: string;
  readonly price: number;
  readonly quantity: number;
};
export type PricedBasket = {
  readonly lines: readonly Line[];
  readonly shipping: number;
  readonly total: number;
};

const SHIPPING = 750;
const FREE_FROM = 6000;
export const MOST_OF_ONE = 20;

/** Computes all amounts, in integer cents. */
export function priced(basket: Basket): PricedBasket {
  const lines: Line[] = [];
  let goods = 0;
  for (const [id, quantity] of Object.entries(basket)) {
    const product = findProduct(id);
    if (product === undefined || !Number.isInteger(quantity) || quantity < 1) continue;
    lines.push({ id, title: product.title, price: product.price, quantity });
    if (product.voucher !== true) goods += product.price * quantity;
  }
  const shipping = goods === 0 || goods >= FREE_FROM ? 0 : SHIPPING;
  return {
    lines,
    shipping,
    total: lines.reduce((sum, { price, quantity }) => sum + price * quantity, shipping),
  };
}

export function dollars(cents: number): string {
  return `$${(cents / 100).toFixed(2)}`;
}
