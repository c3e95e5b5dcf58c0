import { html } from "../../../browser/ui/html.ts";
import { findPayout, type Payout, payoutCsv, walkPayoutLines } from "../../features/payouts/index.ts";
import type { TimeZone } from "../../kernel/country.ts";
import { CURRENCIES } from "../../kernel/money.ts";
import { refuse } from "../../kernel/refusal.ts";
import type { Context } from "../../platform/context.ts";
import { type CsvSpec, csvOf } from "../../platform/http/csv.ts";
import { listPages } from "../shell/lists/list-page.ts";
import { choiceField, sameWords } from "../shell/lists/view.ts";
import { type MerchantPage, type MerchantVisit, merchantPage } from "../shell/page.ts";
import { emptyState } from "../shell/parts/table.ts";
import { calendarDay } from "../shell/times.ts";
import { PAYOUTS } from "./queries.ts";
import { type StatementRow, walkStatement } from "./statement.ts";
import { payoutCells, payoutView, ROWS_OF_STATEMENT } from "./view.ts";

export const payoutPages: readonly MerchantPage[] = [
  ...listPages({
    section: "payouts",
    title: "Payouts",
    listing: PAYOUTS,
    rows: ["payout", "payouts"],
    search: "Id or amount",
    fields: (filled) => [choiceField(filled, "currency", "Currency", sameWords(CURRENCIES))],
    filters: (filled) => ({ currency: filled["currency"] }),
    columns: [
      { head: "Day" },
      { head: "Payments", kind: "number" },
      { head: "Refunds and disputes", kind: "number" },
      { head: "Fees", kind: "number" },
      { head: "Paid out", kind: "number", sort: "amount" },
      { head: "Lines", kind: "number" },
      { head: "Created", sort: "created" },
    ],
    cells: payoutCells,
    stacks: true,
    csv: {
      columns: ["payoutDate", "lineCount", "payments", "refunds", "returns", "fees", "disputes"],
      common: (row) => ({ ...row, reference: row.id, updatedAt: row.createdAt, status: "cleared" }),
      cells: (row) => [row.day, row.lines, row.payments, row.refunds, row.returns, row.fees, row.disputes],
      totals: ["lineCount", "payments", "refunds", "returns", "fees", "disputes"],
    },
    empty: emptyState(
      "Nothing was paid out yet.",
      html`<p>What is captured today is paid out when the day is over.</p>`,
    ),
  }),
  merchantPage({
    method: "GET",
    path: "/payouts/{payoutId}",
    right: "read",
    run: async (ctx, visit) => {
      const payout = await getPayout(ctx, visit);
      return {
        title: `Payout of ${calendarDay(payout.day)}`,
        section: "payouts",
        content: payoutView(visit, payout, await firstRows(ctx, payout)),
      };
    },
  }),
  merchantPage({
    method: "GET",
    path: "/payouts/{payoutId}/statement.csv",
    right: "read",
    run: async (ctx, visit) => {
      const payout = await getPayout(ctx, visit);
      return {
        file: csvOf(walkStatement(walkPayoutLines(ctx.reads, payout)), statementCsv(payout, visit.zone)),
        type: "text/csv; charset=utf-8",
        name: `statement-${payout.day}-${payout.currency}.csv`,
      };
    },
  }),
  merchantPage({
    method: "GET",
    path: "/payouts/{payoutId}/lines.csv",
    right: "read",
    run: async (ctx, visit) => {
      const payout = await getPayout(ctx, visit);
      return {
        file: payoutCsv(ctx.reads, payout, visit.zone),
        type: "text/csv; charset=utf-8",
        name: `${payout.id}.csv`,
      };
    },
  }),
];

const statementCsv = ({ currency }: Payout, zone: TimeZone): CsvSpec<StatementRow> => ({
  columns: ["type", "grossAmount", "feeAmount", "netAmount", "runningTotal"],
  common: ({ subjectId, transactionId, reference, at, net }) => ({
    id: subjectId,
    transactionId,
    reference,
    createdAt: at,
    updatedAt: at,
    amount: net,
    currency,
    status: "cleared",
  }),
  cells: ({ kind, gross, fee, net, runningTotal }) => [kind, gross, fee, net, runningTotal],
  totals: ["grossAmount", "feeAmount", "netAmount"],
  zone,
});

/** What the page shows; a longer statement is read no further. */
async function firstRows({ db }: Context, payout: Payout) {
  const rows: StatementRow[] = [];
  for await (const portion of walkStatement(walkPayoutLines(db, payout))) {
    rows.push(...portion);
    if (rows.length > ROWS_OF_STATEMENT) break;
  }
  return { rows: rows.slice(0, ROWS_OF_STATEMENT), isCut: rows.length > ROWS_OF_STATEMENT };
}

async function getPayout(ctx: Context, { merchant, params }: MerchantVisit<"{payoutId}">): Promise<Payout> {
  return (await findPayout(ctx.db, merchant.id, params.payoutId)) ?? refuse("resource_not_found");
}
