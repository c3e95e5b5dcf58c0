import { type Html, html } from "../../../../browser/ui/html.ts";
import { moneyCell, nameCell, shortId, timeCell, wordsCell } from "../../shell/lists/view.ts";
import type { MerchantVisit } from "../../shell/page.ts";
import { flowWords, outcomeWords, schemeWords, sourceWords } from "../../shell/words.ts";
import {
  type MoneyFacts,
  type PaymentStatus,
  paymentBadge,
  refundStatus,
  requestStatus,
  transactionStatus,
} from "../payment-status.ts";
import type { RefundRow, RequestRow, TransactionRow } from "./queries.ts";

type Cells = readonly (Html | string)[];

export function statusOfRow(row: RequestRow, now: number): PaymentStatus {
  const paying = row.paidBy === null ? undefined : (JSON.parse(row.paidBy) as MoneyFacts);
  return requestStatus(row, paying && transactionStatus(paying), now);
}

export function requestCells(row: RequestRow, visit: MerchantVisit): Cells {
  return [
    nameCell(`${visit.base}/payment-requests/${row.id}`, row.reference, row.id),
    paymentBadge(statusOfRow(row, visit.now)),
    moneyCell(row.amount, row.currency),
    flowWords(row.flow),
    timeCell(row.createdAt, visit),
  ];
}

export function transactionCells(row: TransactionRow, visit: MerchantVisit): Cells {
  return [
    nameCell(`${visit.base}/transactions/${row.id}`, row.reference, row.id),
    paymentBadge(transactionStatus(row)),
    moneyCell(row.total, row.currency),
    methodCell(row),
    row.status === "declined" ? wordsCell(outcomeWords(row.code), row.code) : "",
    timeCell(row.createdAt, visit),
  ];
}

/** Where there is little room: Visa 1111, Apple Pay 1111. */
function methodCell({ source, cardType, last4 }: TransactionRow): Html | string {
  if (last4 === null) return sourceWords(source);
  const scheme = schemeWords(cardType ?? "");
  return source === "card"
    ? html`<span class="wide">${sourceWords(source)} </span><span class="muted">${scheme} ${last4}</span>`
    : html`${sourceWords(source)} <span class="muted"><span class="wide">${scheme} </span>${last4}</span>`;
}

export function refundCells(row: RefundRow, visit: MerchantVisit): Cells {
  const transaction = `${visit.base}/transactions/${row.transactionId}`;
  const payment = row.transactionReference ?? row.transactionId;
  return [
    nameCell(`${transaction}#${row.id}`, row.reference, row.id),
    paymentBadge(refundStatus(row.status)),
    moneyCell(row.amount, row.currency),
    html`<span class="name"><a href="${transaction}" title="${payment}">${payment === row.transactionId ? shortId(payment) : payment}</a></span>`,
    row.status === "declined" ? wordsCell(outcomeWords(row.code)) : "",
    timeCell(row.createdAt, visit),
  ];
}
