import { type Html, html } from "../../../browser/ui/html.ts";
import { moneyText } from "../../../browser/ui/money-text.ts";
import { pageUrl } from "../../features/hosted-pages/index.ts";
import type { PaymentRequest } from "../../features/payment-requests/index.ts";
import {
  authorisationEnd,
  authorisedOf,
  isOpenAuthorisation,
  refundable,
  type Transaction,
  totalOf,
} from "../../features/transactions/index.ts";
import { OUTCOME_DETAILS } from "../../kernel/codes/outcome-details.ts";
import type { Settings } from "../../platform/config/settings.ts";
import type { MerchantVisit } from "../shell/page.ts";
import { facts, panel } from "../shell/parts/facts.ts";
import { dueText, relativeTime } from "../shell/times.ts";
import { messagePhrase, messageWords, openPageWords } from "../shell/words.ts";
import { requestFacts, transactionFacts } from "./facts-view.ts";
import { type PaymentStatus, paymentBadge, requestStatus, transactionStatus } from "./payment-status.ts";
import type { Payment } from "./read-payment.ts";
import { isUnderWay, timelineOf } from "./timeline.ts";
import { timelineEntry } from "./timeline-view.ts";

type Shown = {
  /** The transaction that the page is about; undefined where it is about the request. */
  readonly chosen: Transaction | undefined;
  readonly settings: Settings;
};

/** One payment on one page: its state, the possible actions, and everything that happened, newest first. */
export function paymentView(visit: MerchantVisit, payment: Payment, { chosen, settings }: Shown): Html {
  const { base, merchant, now } = visit;
  const { request, transactions } = payment;
  const main =
    chosen ??
    transactions.find(({ id }) => id === request?.approvedTransactionId) ??
    transactions.find(({ status }) => status !== "declined");
  const path =
    chosen === undefined ? `${base}/payment-requests/${request?.id}` : `${base}/transactions/${chosen.id}`;
  const amount = main === undefined ? (request?.amount ?? 0) : totalOf(main);
  const currency = main?.currency ?? request?.currency ?? merchant.currency;
  const status =
    chosen === undefined && request !== undefined
      ? statusOfPayment(request, transactions, now)
      : main === undefined
        ? undefined
        : transactionStatus(main);
  const outlook = outlookOf(payment, main, now);
  const actions = [
    ...pageAction(visit, settings, request, main),
    ...(visit.may("act") ? actionsOf(visit, payment, main) : []),
  ];
  const underWay = isUnderWay(payment);
  const entries = timelineOf(payment).map((entry) => timelineEntry(visit, entry, path));
  return html`<div id="live" data-live="${underWay ? "on" : "off"}">
<div class="payment-head" role="status"><span class="payment-amount">${moneyText(amount)} <span>${currency}</span></span>${status !== undefined && paymentBadge(status)}</div>
${outlook !== undefined && html`<p class="outlook">${outlook}</p>`}
${actions.length > 0 && html`<p class="act">${actions.map(({ href, words, quiet }) => html`<a class="button${quiet === true ? " button-quiet" : ""}" href="${href}">${words}</a>`)}</p>`}
<div class="payment-body">
<div>${panel("Timeline", html`<ol class="timeline">${entries}</ol>`, underWay ? html`<a class="reload" href="${path}">Load again</a>` : undefined)}</div>
<div class="payment-side">${main !== undefined && panel("Transaction", facts(transactionFacts(visit, main)))}${request !== undefined && panel("Payment request", facts(requestFacts(visit, request, settings)))}${otherAttempts(visit, transactions, main)}</div>
</div>
</div>`;
}

/** The status of a request by all its attempts: the approved one counts, or else a pending one. */
export function statusOfPayment(
  request: PaymentRequest,
  transactions: readonly Transaction[],
  now: number,
): PaymentStatus {
  const paying =
    transactions.find(({ id }) => id === request.approvedTransactionId) ??
    transactions.find(({ status }) => status === "pending");
  return requestStatus(request, paying && transactionStatus(paying), now);
}

/** What to expect next, if anything. */
function outlookOf(
  { request, transactions, operations }: Payment,
  main: Transaction | undefined,
  now: number,
): string | undefined {
  if (operations.some(isUnanswered)) return "Waiting for the acquirer's answer.";
  if (main?.phase === "profiling") return "The bank looks at the payer's browser: 3D Secure.";
  if (main?.phase === "challenged") return "The payer is at the bank's 3D Secure challenge.";
  if (main?.status === "pending" && main.source === "direct_debit") return "The debit is at the bank.";
  if (main?.status === "pending") return "Waiting for the bank's answer. Nothing is charged twice.";
  if (main !== undefined && isOpenAuthorisation(main)) {
    return `Capture ${relativeTime(authorisationEnd(main), now)} at the latest, or the authorisation expires.`;
  }
  if (main === undefined && request?.status === "created")
    return `Open; expires ${dueText(request.expiresAt, now)}.`;
  if (main === undefined && request?.status === "completed") {
    const last = transactions.toSorted((one, other) => other.createdAt - one.createdAt)[0];
    return `It ended without a payment. ${declineText("The last attempt was declined", last)}`.trim();
  }
  if (main?.status !== "declined") return undefined;
  const isReturned = transactionStatus(main) === "returned";
  return declineText(isReturned ? "The payer's bank took the money back" : "Declined", main);
}

/** A declined or completed operation leaves the authorisation as it is. */
function isUnanswered({ status }: Payment["operations"][number]): boolean {
  return status === "pending";
}

/** Why, and what merchant and payer can do, so that no reader has to look up the code. */
function declineText(start: string, { code }: Partial<Pick<Transaction, "code">> = {}): string {
  return code == null ? "" : `${start}: ${messagePhrase(code)}. ${OUTCOME_DETAILS[code]}`;
}

type Action = { readonly href: string; readonly words: string; readonly quiet?: boolean };

/** The hosted page, while a payer can still pay on it. */
function pageAction(
  { base }: MerchantVisit,
  { hostedUrl }: Settings,
  request: Payment["request"],
  main: Transaction | undefined,
): readonly Action[] {
  if (request?.pageKey == null || request.status !== "created" || main !== undefined) return [];
  return [
    {
      href: pageUrl(hostedUrl, { flow: request.flow, pageKey: request.pageKey }),
      words: openPageWords(request.flow),
    },
    { href: `${base}/payment-requests/${request.id}/link`, words: "Link and QR code", quiet: true },
  ];
}

function actionsOf(
  { base, now }: MerchantVisit,
  { request, transactions, operations }: Payment,
  main: Transaction | undefined,
): readonly Action[] {
  const path = main === undefined ? "" : `${base}/transactions/${main.id}`;
  const open =
    main !== undefined &&
    isOpenAuthorisation(main) &&
    authorisationEnd(main) > now &&
    !operations.some(isUnanswered);
  const left = main?.status === "approved" && main.captureStatus === "captured" ? refundable(main) : 0;
  const pending = transactions.some(({ status }) => status === "pending");
  return [
    ...(open ? [{ href: `${path}/capture`, words: `Capture ${moneyText(authorisedOf(main))}` }] : []),
    ...(open ? [{ href: `${path}/cancel`, words: "Cancel the authorisation", quiet: true }] : []),
    ...(left > 0 ? [{ href: `${path}/refund`, words: "Refund" }] : []),
    ...(request?.status === "created" && !pending
      ? [{ href: `${base}/payment-requests/${request.id}/cancel`, words: "Cancel the request", quiet: true }]
      : []),
  ];
}

/** The other attempts to pay the same request. */
function otherAttempts(
  { base }: MerchantVisit,
  all: readonly Transaction[],
  main: Transaction | undefined,
): Html {
  const others = all.filter((one) => one !== main);
  if (others.length === 0) return html``;
  const rows = others.map(
    (one) =>
      [
        paymentBadge(transactionStatus(one)),
        html`<a href="${base}/transactions/${one.id}">${one.code === null ? one.reference : messageWords(one.code)}</a>`,
      ] as const,
  );
  return panel(main === undefined ? "Attempts" : "Other attempts", facts(rows));
}
