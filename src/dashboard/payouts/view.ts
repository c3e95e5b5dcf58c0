import { type Html, html } from "../../../browser/ui/html.ts";
import { moneyText } from "../../../browser/ui/money-text.ts";
import type { Line, Payout } from "../../features/payouts/index.ts";
import { moneyCell, shortId, timeCell } from "../shell/lists/view.ts";
import type { MerchantVisit } from "../shell/page.ts";
import { copyable, facts, panel } from "../shell/parts/facts.ts";
import { table } from "../shell/parts/table.ts";
import { exactTime } from "../shell/times.ts";
import type { PayoutRow } from "./queries.ts";

/** The page shows the first lines; the CSV has them all. */
export const LINES_SHOWN = 200;

export function payoutCells(row: PayoutRow, visit: MerchantVisit): readonly (Html | string)[] {
  return [
    html`<a href="${visit.base}/payouts/${row.id}">${row.day}</a>`,
    moneyCell(row.amount, row.currency),
    row.lines.toLocaleString("en-AU"),
    timeCell(row.createdAt, visit),
  ];
}

export function payoutView(visit: MerchantVisit, payout: Payout, lines: readonly Line[]): Html {
  const { base, zone } = visit;
  return html`${panel(
    "Payout",
    facts([
      ["Id", copyable(payout.id, "payout id")],
      ["Amount", html`<strong>${moneyText(payout.amount)}</strong> ${payout.currency}`],
      ["Payments", moneyText(payout.payments)],
      ["Refunds", moneyText(payout.refunds)],
      ["Returns", moneyText(payout.returns)],
      ["Fees", moneyText(payout.fees)],
      ["Disputes", moneyText(payout.disputes)],
      ["Created", exactTime(payout.createdAt, zone)],
    ]),
    html`<a href="${base}/payouts/${payout.id}/lines.csv" download>All lines as CSV</a>`,
  )}${table({
    caption: payout.lines > LINES_SHOWN ? `The first ${LINES_SHOWN} of ${payout.lines} lines` : "Lines",
    columns: [
      { head: "Transaction" },
      { head: "Kind" },
      { head: "Amount", kind: "number" },
      { head: "Moved" },
    ],
    rows: lines.map((line) => [
      html`<a href="${base}/transactions/${line.transactionId}">${shortId(line.transactionId)}</a>`,
      line.kind,
      moneyText(line.amount),
      timeCell(line.at, visit),
    ]),
  })}`;
}
