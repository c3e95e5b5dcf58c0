import { languageFor } from "../../kernel/languages/languages.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import { asPayerSees } from "../card-testing/index.ts";
import { isPageKey } from "../hosted-pages/index.ts";
import { findMerchant, type Merchant } from "../merchants/index.ts";
import { findRequestOfPage, getPaymentRequest, type PaymentRequest } from "../payment-requests/index.ts";
import { findPendingOf, findTransaction, isAuthenticating, type Transaction } from "../transactions/index.ts";
import { writePageSession } from "./page-session.ts";
import { presentCheckout } from "./present-checkout.ts";
import { presentWallets } from "./present-wallets.ts";
import { listSavedCards } from "./saved-cards.ts";
import { whyUncharged } from "./why-uncharged.ts";

/**
 * The state of a hosted page. `open`: it accepts a payment. `challenged`: the payer's bank runs a challenge.
 * `confirming`: the acquirer was called. The rest is how the payment request ended; `closed` does not reveal it.
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
  /** Whether a card could be charged now, on an open page. */
  readonly isChargeable: boolean;
  /** The pending attempt, else the approved one, else the last that failed. */
  readonly attempt: Transaction | undefined;
  readonly failedAttempts: number;
  readonly session: string;
  /** The data for the page's script. */
  readonly opening: object;
};

/** What anyone with the URL of a hosted page may see now. Undefined when there is no such page. */
export async function viewPage(
  ctx: Context,
  pageKey: string,
  acceptLanguage?: string,
): Promise<PageView | undefined> {
  if (!isPageKey(pageKey)) return undefined;
  const owner = await findRequestOfPage(ctx.db, pageKey);
  const merchant = owner && (await findMerchant(ctx.db, owner.merchantId));
  if (owner === undefined || merchant === undefined) return undefined;
  const request = await getPaymentRequest(ctx, merchant, owner.id);
  const pending = await findPendingOf(ctx.db, merchant.id, request.id);
  const last = request.approvedTransactionId ?? request.failedTransactionIds.at(-1);
  const attempt = pending ?? (last && (await findTransaction(ctx.db, merchant.id, last)));
  const failedAttempts = request.failedTransactionIds.length;
  const session = writePageSession({ pageKey, failedAttempts });
  const wallets = await presentWallets(ctx, merchant, request, {
    place: { kind: "page" },
    language: languageFor(request.details.locale, acceptLanguage),
  });
  const savedCards = await listSavedCards(ctx, merchant, request);
  const now = clockOf(ctx, merchant);
  const standing = standingOf(request, pending);
  return {
    standing,
    merchant,
    request,
    isChargeable: standing !== "open" || (await whyUncharged(ctx, merchant, request)) === undefined,
    attempt: attempt ? await asPayerSees(ctx, merchant, attempt) : undefined,
    failedAttempts,
    session,
    opening: { session, ...presentCheckout(request, merchant, { wallets, savedCards, now }) },
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
