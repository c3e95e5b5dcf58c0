import type { PricedBasket } from "./price.ts";

export const METHODS = ["card", "hosted", "save", "saved", "debit", "payid"] as const;
/** How a shopper chose to pay. */
export type Method = (typeof METHODS)[number];

/** One try to be paid. It says what the gateway said when it was last asked, and nothing of our own. */
export type Payment = {
  readonly method: Method;
  /** A checkout, a hosted page or a PayID has one. */
  readonly paymentRequestId?: string;
  /** Known from the beginning where we charge a stored instrument, else once somebody has paid. */
  readonly transactionId?: string;
  /** `open`: nobody has paid yet. `ended`: expired or cancelled. */
  readonly status: "open" | "pending" | "approved" | "declined" | "ended";
  readonly reason?: string;
  readonly payId?: string;
  readonly refunds: readonly { readonly id: string; readonly status: "pending" | "approved" | "declined" }[];
};

/** A webhook as it came, for the curious. */
export type News = {
  readonly id: string;
  readonly event: string;
  readonly about: string;
  readonly verdict: "looked up" | "repeat" | "old news";
};

export type Order = {
  /** Unguessable. It is the `reference` of everything at the gateway that belongs to it. */
  readonly id: string;
  readonly shopper: string;
  readonly basket: PricedBasket;
  readonly payments: readonly Payment[];
  readonly news: readonly News[];
};

export type Standing = "unpaid" | "open" | "pending" | "paid" | "declined" | "refunding" | "refunded";

/** How an order stands, from its payments. Goods are sent when it is `paid`, never before. */
export function standingOf({ payments }: Order): Standing {
  const paid = payments.find((payment) => payment.status === "approved");
  if (paid !== undefined) {
    if (paid.refunds.some(({ status }) => status === "approved")) return "refunded";
    return paid.refunds.some(({ status }) => status === "pending") ? "refunding" : "paid";
  }
  const latest = payments.at(-1)?.status;
  return latest === "open" || latest === "pending" || latest === "declined" ? latest : "unpaid";
}

/** Whether the gateway has more to say: then we wait for a webhook. */
export function isWaiting(order: Order): boolean {
  return ["open", "pending", "refunding"].includes(standingOf(order));
}
