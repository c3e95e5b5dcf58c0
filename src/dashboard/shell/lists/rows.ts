import { type Html, html } from "../../../../browser/ui/html.ts";
import { moneyText } from "../../../../browser/ui/money-text.ts";
import { badge } from "../parts/badge.ts";
import { shortTime, timeElement } from "../times.ts";
import { flowWords, messageWords, schemeWords, sourceWords } from "../words.ts";

/** What rows have in common: whose pages they lead to, and in which zone they tell time. */
export type RowContext = { readonly base: string; readonly zone: string };

export function whenCell(moment: number, { zone }: RowContext): Html {
  return timeElement(moment, zone, shortTime(moment, zone));
}

/** The reference is what people know a thing by; where there is none of their own, the id's end will do. */
export function nameCell(href: string, reference: string, id: string): Html {
  return html`<a href="${href}">${reference === id ? shortId(id) : reference}</a>`;
}

/** Enough to tell one from another; the page has all of it. */
export function shortId(id: string): string {
  return `${id.slice(0, id.indexOf("_") + 1)}…${id.slice(-6)}`;
}

export type RequestCells = {
  readonly id: string;
  readonly reference: string;
  readonly status: string;
  readonly flow: string;
  readonly amount: number;
  readonly currency: string;
  readonly createdAt: number;
};

export function requestRow(row: RequestCells, at: RowContext): readonly (Html | string)[] {
  return [
    nameCell(`${at.base}/payment-requests/${row.id}`, row.reference, row.id),
    badge(row.status),
    html`${moneyText(row.amount)} <span class="muted">${row.currency}</span>`,
    flowWords(row.flow),
    whenCell(row.createdAt, at),
  ];
}

export type TransactionCells = {
  readonly id: string;
  readonly reference: string;
  readonly status: string;
  readonly code: string | null;
  readonly message: string | undefined;
  readonly source: string;
  readonly captureStatus: string | null;
  readonly total: number;
  readonly refunded: number;
  readonly currency: string;
  readonly last4: string | null;
  readonly cardType: string | null;
  readonly createdAt: number;
};

export function transactionRow(row: TransactionCells, at: RowContext): readonly (Html | string)[] {
  const open = row.captureStatus !== null && row.captureStatus !== "captured";
  return [
    nameCell(`${at.base}/transactions/${row.id}`, row.reference, row.id),
    html`${badge(row.status)}${open && html` ${badge(row.captureStatus ?? "")}`}${row.refunded > 0 && html` ${badge(row.refunded < row.total ? "part refunded" : "refunded", "quiet")}`}`,
    html`${moneyText(row.total)} <span class="muted">${row.currency}</span>`,
    html`${sourceWords(row.source)}${row.last4 !== null && html` <span class="muted">${schemeWords(row.cardType ?? "")} ${row.last4}</span>`}`,
    row.status === "declined"
      ? html`${messageWords(row.message ?? "")} <span class="muted">${row.code ?? ""}</span>`
      : "",
    whenCell(row.createdAt, at),
  ];
}

export type RefundCells = {
  readonly id: string;
  readonly reference: string;
  readonly transactionId: string;
  readonly status: string;
  readonly message: string | undefined;
  readonly amount: number;
  readonly currency: string;
  readonly createdAt: number;
};

export function refundRow(row: RefundCells, at: RowContext): readonly (Html | string)[] {
  return [
    nameCell(`${at.base}/transactions/${row.transactionId}#${row.id}`, row.reference, row.id),
    badge(row.status),
    html`${moneyText(row.amount)} <span class="muted">${row.currency}</span>`,
    html`<a href="${at.base}/transactions/${row.transactionId}">${shortId(row.transactionId)}</a>`,
    row.status === "declined" ? messageWords(row.message ?? "") : "",
    whenCell(row.createdAt, at),
  ];
}

export type CustomerCells = {
  readonly id: string;
  readonly reference: string;
  readonly name: string;
  readonly email: string | undefined;
  readonly createdAt: number;
};

export function customerRow(row: CustomerCells, at: RowContext): readonly (Html | string)[] {
  return [
    html`<a href="${at.base}/customers/${row.id}">${row.name}</a>`,
    row.reference === row.id ? "" : row.reference,
    row.email ?? "",
    whenCell(row.createdAt, at),
  ];
}

export type PayoutCells = {
  readonly id: string;
  readonly day: string;
  readonly amount: number;
  readonly currency: string;
  readonly lines: number;
  readonly createdAt: number;
};

export function payoutRow(row: PayoutCells, at: RowContext): readonly (Html | string)[] {
  return [
    html`<a href="${at.base}/payouts/${row.id}">${row.day}</a>`,
    html`${moneyText(row.amount)} <span class="muted">${row.currency}</span>`,
    row.lines.toLocaleString("en-AU"),
    whenCell(row.createdAt, at),
  ];
}
