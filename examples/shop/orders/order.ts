import type { PricedBasket } from "./price.ts";

export const METHODS = ["card", "hosted", "save", "saved", "verify", "debit", "payid"] as const;
/** The payer's chosen way to pay. */
export type Method = (typeof METHODS)[number];

type DisputeStatus = "needs_response" | "under_review" | "won" | "lost" | "accepted";

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
  readonly dispute?: { readonly id: string; readonly status: DisputeStatus };
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
  readonly payer: string;
  /** Of the form that opened it. */
  readonly formKey?: string;
  readonly basket: PricedBasket;
  readonly payments: readonly Payment[];
  readonly news: readonly News[];
};

export type Standing =
  | "unpaid"
  | "open"
  | "pending"
  | "paid"
  | "declined"
  | "refunding"
  | "refunded"
  | "disputed"
  | "lost";

const DISPUTED: Readonly<Record<DisputeStatus, Standing>> = {
  needs_response: "disputed",
  under_review: "disputed",
  won: "paid",
  lost: "lost",
  accepted: "lost",
};

/** The order's state, from its payments. Ship the goods when it is `paid`, never before. */
export function standingOf({ payments }: Order): Standing {
  const paid = payments.find((payment) => payment.status === "approved");
  if (paid !== undefined) {
    if (paid.refunds.some(({ status }) => status === "approved")) return "refunded";
    if (paid.refunds.some(({ status }) => status === "pending")) return "refunding";
    return paid.dispute === undefined ? "paid" : DISPUTED[paid.dispute.status];
  }
  const latest = payments.at(-1)?.status;
  return latest === "open" || latest === "pending" || latest === "declined" ? latest : "unpaid";
}

/** Whether the state is not final and a webhook is expected. */
export function isWaiting(order: Order): boolean {
  const standing = standingOf(order);
  const isDisputedSoon = standing === "paid" && order.basket.lines.some(({ id }) => id === "disputed");
  return ["open", "pending", "refunding", "disputed"].includes(standing) || isDisputedSoon;
}
