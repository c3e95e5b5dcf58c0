import { html } from "../../../browser/ui/html.ts";
import { moneyText } from "../../../browser/ui/money-text.ts";
import { pageUrl } from "../../features/hosted-pages/index.ts";
import { zoneOf } from "../../features/merchants/index.ts";
import {
  authorisationEnd,
  isOpenAuthorisation,
  refundable,
  type Transaction,
  totalOf,
} from "../../features/transactions/index.ts";
import { findOutcome } from "../../kernel/codes/outcomes.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import { dueText, relativeTime } from "../shell/times.ts";
import type { MerchantVisit } from "../shell/visit.ts";
import { messageWords } from "../shell/words.ts";
import { requestFacts, transactionFacts } from "./facts-view.ts";
import type { PaymentModel } from "./model.ts";
import type { Payment } from "./read-payment.ts";
import { isUnderWay, timelineOf } from "./timeline.ts";

/** The page of a payment. `chosen` is the transaction that it is about; without one it is about the request. */
export function paymentModel(
  ctx: Context,
  visit: MerchantVisit,
  payment: Payment,
  chosen: Transaction | undefined,
): PaymentModel {
  const { base, merchant, formToken } = visit;
  const { request, transactions } = payment;
  const now = clockOf(ctx, merchant);
  const main = chosen ?? transactions.find(({ status }) => status !== "declined") ?? undefined;
  const path =
    chosen !== undefined
      ? `${base}/transactions/${chosen.id}`
      : `${base}/payment-requests/${request?.id ?? ""}`;
  return {
    base,
    zone: zoneOf(merchant),
    now,
    formToken,
    mayAct: visit.may("act"),
    amount: main === undefined ? (request?.amount ?? 0) : totalOf(main),
    currency: main?.currency ?? request?.currency ?? merchant.currency,
    states: [
      ...(chosen === undefined && request !== undefined ? [request.status] : []),
      ...(main === undefined ? [] : statesOf(main)),
    ],
    outlook: outlookOf(payment, main, now),
    actions: [
      ...pageAction(ctx, request, main),
      ...(visit.may("act") ? actionsOf(base, payment, main, now) : []),
    ],
    underWay: isUnderWay(payment),
    path,
    entries: timelineOf(payment).map((entry) => ({
      ...entry,
      ...(entry.code == null ? {} : { message: messageOf(entry.code) }),
      ...(entry.event === undefined
        ? {}
        : {
            event: {
              ...entry.event,
              // Retries are in real time; the page speaks of the merchant's.
              deliveries: entry.event.deliveries.map((one) => ({
                ...one,
                nextAt: one.nextAt === null ? null : one.nextAt + merchant.clockOffset,
              })),
            },
          }),
    })),
    facts: [
      ...(main === undefined ? [] : [transactionFacts(main, visit)]),
      ...(request === undefined ? [] : [requestFacts(request, visit, ctx)]),
      ...otherAttempts(base, transactions, main),
    ],
  };
}

function messageOf(code: string): string {
  return messageWords(findOutcome(code) ?? code);
}

function statesOf({ status, captureStatus, captured, refunded }: Transaction): readonly string[] {
  const capture =
    captureStatus === null || (captureStatus === "captured" && status === "approved") ? [] : [captureStatus];
  const refund = refunded === 0 ? [] : [refunded < captured ? "part refunded" : "refunded"];
  return [status, ...capture, ...refund];
}

function outlookOf(
  { request, operations }: Payment,
  main: Transaction | undefined,
  now: number,
): string | undefined {
  if (operations.length > 0) return "The acquirer has been asked; its answer is awaited.";
  if (main?.phase === "challenged") return "The payer is at the bank's 3D Secure challenge.";
  if (main?.status === "pending" && main.source === "direct_debit") return "The debit is at the bank.";
  if (main?.status === "pending") return "The bank's answer is awaited. Nothing is charged twice.";
  if (main !== undefined && isOpenAuthorisation(main)) {
    return `Capture ${relativeTime(authorisationEnd(main), now)} at the latest, or the authorisation expires.`;
  }
  if (main === undefined && request?.status === "created")
    return `Open; expires ${dueText(request.expiresAt, now)}.`;
  return undefined;
}

/** Somebody can still pay on the hosted page. */
function pageAction(
  { settings }: Context,
  request: Payment["request"],
  main: Transaction | undefined,
): PaymentModel["actions"] {
  if (request?.pageKey == null || request.status !== "created" || main !== undefined) return [];
  return [{ href: pageUrl(settings.hostedUrl, request.pageKey), words: "Open the hosted page" }];
}

function actionsOf(
  base: string,
  { request, transactions, operations }: Payment,
  main: Transaction | undefined,
  now: number,
): PaymentModel["actions"] {
  const at = main === undefined ? "" : `${base}/transactions/${main.id}`;
  const open =
    main !== undefined &&
    isOpenAuthorisation(main) &&
    authorisationEnd(main) > now &&
    operations.length === 0;
  const left = main?.status === "approved" && main.captureStatus === "captured" ? refundable(main) : 0;
  const pending = transactions.some(({ status }) => status === "pending");
  return [
    ...(open ? [{ href: `${at}/capture`, words: `Capture ${moneyText(totalOf(main))}` }] : []),
    ...(open ? [{ href: `${at}/cancel`, words: "Cancel the authorisation", danger: true }] : []),
    ...(left > 0 ? [{ href: `${at}/refund`, words: "Refund" }] : []),
    ...(request?.status === "created" && !pending
      ? [{ href: `${base}/payment-requests/${request.id}/cancel`, words: "Cancel the request", danger: true }]
      : []),
  ];
}

/** The other payments that were tried on the same request. */
function otherAttempts(
  base: string,
  all: readonly Transaction[],
  main: Transaction | undefined,
): PaymentModel["facts"] {
  const others = all.filter((one) => one !== main);
  if (others.length === 0) return [];
  return [
    {
      heading: "Other attempts",
      rows: others.map((one) => [
        one.status,
        html`<a href="${base}/transactions/${one.id}">${one.code === null ? one.id : messageOf(one.code)}</a>`,
      ]),
    },
  ];
}
