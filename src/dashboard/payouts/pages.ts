import { html } from "../../../browser/ui/html.ts";
import { findPayout, listLines, type Payout, payoutCsv } from "../../features/payouts/index.ts";
import { CURRENCIES } from "../../kernel/money.ts";
import { refuse } from "../../kernel/refusal.ts";
import type { Context } from "../../platform/context.ts";
import { listPages } from "../shell/lists/list-page.ts";
import { choiceField, sameWords } from "../shell/lists/view.ts";
import { type MerchantPage, type MerchantVisit, merchantPage } from "../shell/page.ts";
import { emptyState } from "../shell/parts/table.ts";
import { PAYOUTS } from "./queries.ts";
import { LINES_SHOWN, payoutCells, payoutView } from "./view.ts";

export const payoutPages: readonly MerchantPage[] = [
  ...listPages({
    section: "payouts",
    title: "Payouts",
    listing: PAYOUTS,
    rows: ["payout", "payouts"],
    search: "Id",
    fields: (filled) => [choiceField(filled, "currency", "Currency", sameWords(CURRENCIES))],
    filters: (filled) => ({ currency: filled["currency"] }),
    columns: [
      { head: "Day" },
      { head: "Amount", kind: "number" },
      { head: "Lines", kind: "number" },
      { head: "Created", sort: "created" },
    ],
    cells: payoutCells,
    csv: {
      columns: ["payoutDate", "lineCount"],
      common: (row) => ({ ...row, reference: row.id, updatedAt: row.createdAt, status: "cleared" }),
      cells: (row) => [row.day, row.lines],
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
      const lines = await listLines(ctx.db, payout, LINES_SHOWN);
      return {
        title: `Payout of ${payout.day}`,
        section: "payouts",
        content: payoutView(visit, payout, lines),
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
        file: payoutCsv(ctx.db, payout),
        type: "text/csv; charset=utf-8",
        name: `${payout.id}.csv`,
      };
    },
  }),
];

async function getPayout(ctx: Context, { merchant, params }: MerchantVisit<"{payoutId}">): Promise<Payout> {
  return (await findPayout(ctx.db, merchant.id, params.payoutId)) ?? refuse("resource_not_found");
}
