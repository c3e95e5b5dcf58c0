import { type Html, html } from "../../../../browser/ui/html.ts";
import { moneyCell, nameCell, shortId, timeCell } from "../../shell/lists/view.ts";
import type { MerchantVisit } from "../../shell/page.ts";
import { badge } from "../../shell/parts/badge.ts";
import { flowWords, outcomeWords, schemeWords, sourceWords } from "../../shell/words.ts";
import type { RefundRow, RequestRow, TransactionRow } from "./queries.ts";

type Cells = readonly (Html | string)[];

export function requestCells(row: RequestRow, visit: MerchantVisit): Cells {
  // The job that expires it may be a moment late.
  const expired = row.status === "created" && row.expiresAt <= visit.now;
  return [
    nameCell(`${visit.base}/payment-requests/${row.id}`, row.reference, row.id),
    badge(expired ? "expired" : row.status),
    moneyCell(row.amount, row.currency),
    flowWords(row.flow),
    timeCell(row.createdAt, visit),
  ];
}

export function transactionCells(row: TransactionRow, visit: MerchantVisit): Cells {
  const open = row.captureStatus !== null && row.captureStatus !== "captured";
  return [
    nameCell(`${visit.base}/transactions/${row.id}`, row.reference, row.id),
    html`${badge(row.status)}${open && html` ${badge(row.captureStatus ?? "")}`}${row.refunded > 0 && html` ${badge(row.refunded < row.total ? "part refunded" : "refunded", "quiet")}`}`,
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
  return [
    nameCell(`${transaction}#${row.id}`, row.reference, row.id),
    badge(row.status),
    moneyCell(row.amount, row.currency),
    html`<a href="${transaction}">${shortId(row.transactionId)}</a>`,
    row.status === "declined" ? outcomeWords(row.code) : "",
    timeCell(row.createdAt, visit),
  ];
}
