import { type Html, html } from "../../../browser/ui/html.ts";
import { moneyText } from "../../../browser/ui/money-text.ts";
import type { Payout } from "../../features/payouts/index.ts";
import { moneyCell, shortId, timeCell } from "../shell/lists/view.ts";
import type { MerchantVisit } from "../shell/page.ts";
import { copyable, facts, panel } from "../shell/parts/facts.ts";
import { table } from "../shell/parts/table.ts";
import { calendarDay, exactTime } from "../shell/times.ts";
import { messageWords } from "../shell/words.ts";
import type { PayoutRow } from "./queries.ts";
import type { StatementRow } from "./statement.ts";

/** The page shows the first rows; the file has them all. */
export const ROWS_OF_STATEMENT = 500;

export function payoutCells(row: PayoutRow, visit: MerchantVisit): readonly (Html | string)[] {
  return [
    html`<a href="${visit.base}/payouts/${row.id}">${calendarDay(row.day)}</a>`,
    moneyText(row.payments),
    moneyText(row.refunds + row.returns + row.disputes),
    moneyText(row.fees),
    moneyCell(row.amount, row.currency),
    row.lines.toLocaleString("en-AU"),
    timeCell(row.createdAt, visit),
  ];
}

type Statement = {
  readonly rows: readonly StatementRow[];
  /** There are more rows than the page shows. */
  readonly isCut: boolean;
};

export function payoutView(visit: MerchantVisit, payout: Payout, { rows, isCut }: Statement): Html {
  const { base, zone, merchant } = visit;
  const files = html`<span class="files"><a href="${base}/payouts/${payout.id}/statement.csv" download>Statement as CSV</a> <a href="${base}/payouts/${payout.id}/lines.csv" download>All lines as CSV</a> <button class="small" type="button" data-print hidden>Print</button></span>`;
  return html`<p class="printed">${merchant.name} · ${merchant.id}</p>${panel(
    "Payout",
    facts([
      ["Paid out", html`<strong>${moneyText(payout.amount)}</strong> ${payout.currency}`],
      ["Payments", moneyText(payout.payments)],
      ["Refunds", moneyText(payout.refunds)],
      ["Returns", moneyText(payout.returns)],
      ["Disputes", moneyText(payout.disputes)],
      ["Fees", moneyText(payout.fees)],
      ["Created", exactTime(payout.createdAt, zone)],
      ["Id", copyable(payout.id, "payout id")],
    ]),
    files,
  )}${table({
    caption: isCut
      ? `Statement in ${payout.currency}: the first ${rows.length.toLocaleString("en-AU")} entries; the file has all of them`
      : `Statement in ${payout.currency}`,
    columns: [
      { head: "Reference" },
      { head: "Type" },
      { head: "Date" },
      { head: "Gross", kind: "number" },
      { head: "Fee", kind: "number" },
      { head: "Net", kind: "number" },
      { head: "Running total", kind: "number" },
    ],
    rows: rows.map((row) => [
      html`<a href="${base}/transactions/${row.transactionId}">${row.reference === row.transactionId ? shortId(row.reference) : row.reference}</a>`,
      messageWords(row.kind),
      timeCell(row.at, visit),
      row.gross === 0 ? "" : moneyText(row.gross),
      row.fee === 0 ? "" : moneyText(row.fee),
      moneyText(row.net),
      moneyText(row.runningTotal),
    ]),
    ...(isCut
      ? {}
      : {
          foot: [
            "Total",
            "",
            "",
            moneyText(payout.amount - payout.fees),
            moneyText(payout.fees),
            moneyText(payout.amount),
            moneyText(payout.amount),
          ],
        }),
  })}`;
}
