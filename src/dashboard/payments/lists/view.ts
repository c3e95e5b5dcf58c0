import { type Html, html } from "../../../../browser/ui/html.ts";
import { moneyCell, nameCell, shortId, timeCell } from "../../shell/lists/view.ts";
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
    html`${sourceWords(row.source)}${row.last4 !== null && html` <span class="muted">${schemeWords(row.cardType ?? "")} ${row.last4}</span>`}`,
    row.status === "declined"
      ? html`${outcomeWords(row.code)} <span class="muted">${row.code ?? ""}</span>`
      : "",
    timeCell(row.createdAt, visit),
  ];
}

export function refundCells(row: RefundRow, visit: MerchantVisit): Cells {
  const transaction = `${visit.base}/transactions/${row.transactionId}`;
  const payment = row.transactionReference ?? row.transactionId;
  return [
    nameCell(`${transaction}#${row.id}`, row.reference, row.id),
    paymentBadge(refundStatus(row.status)),
    moneyCell(row.amount, row.currency),
    html`<a href="${transaction}">${payment === row.transactionId ? shortId(payment) : payment}</a>`,
    row.status === "declined" ? outcomeWords(row.code) : "",
    timeCell(row.createdAt, visit),
  ];
}
