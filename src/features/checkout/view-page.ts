import { type Context, clockOf } from "../../platform/context.ts";
import { isPageKey } from "../hosted-pages/index.ts";
import { findMerchant, type Merchant } from "../merchants/index.ts";
import { findRequestOfPage, getPaymentRequest, type PaymentRequest } from "../payment-requests/index.ts";
import { findPendingOf, findTransaction, isAuthenticating, type Transaction } from "../transactions/index.ts";
import { writePageSession } from "./page-session.ts";
import { presentCheckout } from "./present-checkout.ts";
import { presentWallets } from "./present-wallets.ts";

/**
 * How a hosted page stands. `open`: it takes a payment. `challenged`: a bank asks the payer, in some window.
 * `confirming`: the acquirer was called. The rest is how its payment request ended; `closed` tells nothing about that.
 */
export type Standing =
  | "open"
  | "challenged"
  | "confirming"
  | "approved"
  | "declined"
  | "closed"
  | "expired"
  | "cancelled";

export type PageView = {
  readonly standing: Standing;
  readonly merchant: Merchant;
  readonly request: PaymentRequest;
  /** The attempt that the page is about: the one under way, the one that was approved, or the last that failed. */
  readonly attempt: Transaction | undefined;
  /** How many attempts have failed. */
  readonly tries: number;
  readonly session: string;
  /** What the page's script has to know. */
  readonly opening: object;
};

/** What the holder of a hosted page's address may see now. Undefined: there is no such page. */
export async function viewPage(ctx: Context, pageKey: string): Promise<PageView | undefined> {
  if (!isPageKey(pageKey)) return undefined;
  const owner = await findRequestOfPage(ctx.db, pageKey);
  const merchant = owner && (await findMerchant(ctx.db, owner.merchantId));
  if (owner === undefined || merchant === undefined) return undefined;
  const request = await getPaymentRequest(ctx, merchant, owner.id);
  const pending = await findPendingOf(ctx.db, merchant.id, request.id);
  const last = request.approvedTransactionId ?? request.failedTransactionIds.at(-1);
  const attempt = pending ?? (last && (await findTransaction(ctx.db, merchant.id, last)));
  const tries = request.failedTransactionIds.length;
  const session = writePageSession({ pageKey, tries });
  const wallets = await presentWallets(ctx, merchant, request, { kind: "page" });
  return {
    standing: standingOf(request, pending),
    merchant,
    request,
    attempt: attempt || undefined,
    tries,
    session,
    opening: { session, ...presentCheckout(request, merchant, wallets, clockOf(ctx, merchant)) },
  };
}

function standingOf(request: PaymentRequest, pending: Transaction | undefined): Standing {
  if (request.status === "created") {
    if (pending === undefined) return "open";
    return isAuthenticating(pending) ? "challenged" : "confirming";
  }
  if (request.status !== "completed") return request.status;
  if (request.details.hostedPage?.resultPage === "none") return "closed";
  return request.approvedTransactionId === null ? "declined" : "approved";
}
