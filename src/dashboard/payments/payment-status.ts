import type { PaymentRequest } from "../../features/payment-requests/index.ts";
import type { Transaction } from "../../features/transactions/index.ts";
import { badge, type Tone } from "../shell/parts/badge.ts";

/** What a bookkeeper wants to know of a payment, each word with its tone. The dashboard has no other words for it. */
const TONES = {
  paid: "good",
  "partly paid": "waiting",
  "partly refunded": "quiet",
  refunded: "quiet",
  disputed: "bad",
  authorised: "moving",
  processing: "moving",
  verified: "good",
  unpaid: "waiting",
  declined: "bad",
  returned: "bad",
  expired: "quiet",
  cancelled: "quiet",
} as const satisfies Record<string, Tone>;

export type PaymentStatus = keyof typeof TONES;

/** The words of a payment request, in the order of the filter. An attempt is declined, its request stays unpaid. */
export const REQUEST_WORDS = (Object.keys(TONES) as PaymentStatus[]).filter((word) => word !== "declined");

/** The words of a transaction. An unpaid request may have none at all, so only the list of requests can find all of them. */
export const TRANSACTION_WORDS = (Object.keys(TONES) as PaymentStatus[]).filter((word) => word !== "unpaid");

export type MoneyFacts = Pick<Transaction, "status" | "method" | "captureStatus"> & {
  readonly amount: number;
  readonly surcharge: number;
  readonly captured: number;
  readonly refunded: number;
  readonly disputed: number;
};

/** Only money that was captured and is still there makes a payment `paid`. */
export function transactionStatus(one: MoneyFacts): PaymentStatus {
  if (one.status === "pending") return "processing";
  // Only a direct debit that its bank returned was captured before it was declined.
  if (one.status === "declined") return one.captured > 0 ? "returned" : "declined";
  if (one.method === "verification") return "verified";
  if (one.captureStatus === "uncaptured") return "authorised";
  if (one.captureStatus === "voided") return "cancelled";
  if (one.captureStatus === "expired") return "expired";
  if (one.disputed > 0) return "disputed";
  if (one.refunded > 0) return one.refunded < one.captured ? "partly refunded" : "refunded";
  // The acquirer approved less, or the merchant captured less.
  return one.captured < one.amount + one.surcharge ? "partly paid" : "paid";
}

export type RequestFacts = Pick<PaymentRequest, "status"> & { readonly expiresAt: number };

/** `of` is the status of the transaction that pays it: the approved one, or else a pending one. */
export function requestStatus(
  request: RequestFacts,
  of: PaymentStatus | undefined,
  now: number,
): PaymentStatus {
  switch (request.status) {
    case "completed":
      // Of an authorisation that was cancelled or has expired, no money was taken.
      return of === undefined || of === "cancelled" || of === "expired" ? "unpaid" : of;
    case "created":
      if (of === "processing") return of;
      // The job that expires it may be a moment late.
      return request.expiresAt <= now ? "expired" : "unpaid";
    case "expired":
    case "cancelled":
      return request.status;
  }
}

/** Of a refund itself: the same words, for the money that goes back. */
export function refundStatus(status: string): PaymentStatus {
  return status === "approved" ? "refunded" : status === "pending" ? "processing" : "declined";
}

export function paymentBadge(status: PaymentStatus) {
  return badge(status, TONES[status]);
}
