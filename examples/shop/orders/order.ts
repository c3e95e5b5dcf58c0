import type { PricedBasket } from "./price.ts";

export const METHODS = ["card", "hosted", "save", "saved", "debit", "payid"] as const;
/** The shopper's chosen way to pay. */
export type Method = (typeof METHODS)[number];

/** One attempt to pay. Its status is always what the gateway last reported. */
export type Payment = {
  readonly method: Method;
  /** Set for a checkout, a hosted page or a PayID. */
  readonly paymentRequestId?: string;
  /** Known from the start for a stored instrument, otherwise after the payment. */
  readonly transactionId?: string;
  /** `open`: not paid yet. `ended`: expired or cancelled. */
  readonly status: "open" | "pending" | "approved" | "declined" | "ended";
  readonly reason?: string;
  readonly payId?: string;
  readonly refunds: readonly { readonly id: string; readonly status: "pending" | "approved" | "declined" }[];
};

/** A received webhook, shown on the order's page. */
export type News = {
  readonly id: string;
  readonly event: string;
  readonly about: string;
  readonly verdict: "looked up" | "repeat" | "outdated";
};

export type Order = {
  /** Unguessable. It is the `reference` of the order's resources at the gateway. */
  readonly id: string;
  readonly shopper: string;
  readonly basket: PricedBasket;
  readonly payments: readonly Payment[];
  readonly news: readonly News[];
};

export type Standing = "unpaid" | "open" | "pending" | "paid" | "declined" | "refunding" | "refunded";

/** The order's state, from its payments. Ship the goods when it is `paid`, never before. */
export function standingOf({ payments }: Order): Standing {
  const paid = payments.find((payment) => payment.status === "approved");
  if (paid !== undefined) {
    if (paid.refunds.some(({ status }) => status === "approved")) return "refunded";
    return paid.refunds.some(({ status }) => status === "pending") ? "refunding" : "paid";
  }
  const latest = payments.at(-1)?.status;
  return latest === "open" || latest === "pending" || latest === "declined" ? latest : "unpaid";
}

/** Whether the state is not final and a webhook is expected. */
export function isWaiting(order: Order): boolean {
  return ["open", "pending", "refunding"].includes(standingOf(order));
}
