import { html } from "../../../browser/ui/html.ts";
import { moneyText } from "../../../browser/ui/money-text.ts";
import { zoneOf } from "../../features/merchants/index.ts";
import { csvOf, findPayout, listLines, type Payout } from "../../features/payouts/index.ts";
import { parseId } from "../../kernel/ids.ts";
import { refuse } from "../../kernel/refusal.ts";
import type { Context } from "../../platform/context.ts";
import { shortId, whenCell } from "../shell/lists/rows.ts";
import { copyable, facts, panel } from "../shell/parts/facts.ts";
import { table } from "../shell/parts/table.ts";
import { exactTime } from "../shell/times.ts";
import type { MerchantPage, MerchantVisit } from "../shell/visit.ts";

/** The page shows the first of them; the CSV has all. */
const LINES_SHOWN = 200;

export const payoutPages: readonly MerchantPage[] = [
  {
    method: "GET",
    path: "/payouts/:payoutId",
    may: "read",
    run: async (ctx, visit) => {
      const payout = await thePayout(ctx, visit);
      const { base, merchant } = visit;
      const at = { base, zone: zoneOf(merchant) };
      const lines = await listLines(ctx.db, payout, LINES_SHOWN);
      const rows = lines.map((line) => [
        html`<a href="${base}/transactions/${line.transactionId}">${shortId(line.transactionId)}</a>`,
        line.kind,
        moneyText(line.amount),
        whenCell(line.at, at),
      ]);
      const content = html`${panel(
        "Payout",
        facts([
          ["Id", copyable(payout.id, "payout id")],
          ["Amount", html`<strong>${moneyText(payout.amount)}</strong> ${payout.currency}`],
          ["Payments", moneyText(payout.payments)],
          ["Refunds", moneyText(payout.refunds)],
          ["Returns", moneyText(payout.returns)],
          ["Fees", moneyText(payout.fees)],
          ["Made", exactTime(payout.createdAt, at.zone)],
        ]),
        html`<a href="${base}/payouts/${payout.id}/lines.csv" download>All movements as CSV</a>`,
      )}${table({
        caption:
          payout.lines > LINES_SHOWN ? `The first ${LINES_SHOWN} of ${payout.lines} movements` : "Movements",
        columns: [
          { head: "Transaction" },
          { head: "Kind" },
          { head: "Amount", kind: "number" },
          { head: "Moved" },
        ],
        rows,
      })}`;
      return { title: `Payout of ${payout.day}`, section: "payouts", content };
    },
  },
  {
    method: "GET",
    path: "/payouts/:payoutId/lines.csv",
    may: "read",
    run: async (ctx, visit) => {
      const payout = await thePayout(ctx, visit);
      return {
        file: csvOf(payout, await listLines(ctx.db, payout, payout.lines)),
        type: "text/csv; charset=utf-8",
        name: `${payout.id}.csv`,
      };
    },
  },
];

async function thePayout(ctx: Context, { merchant, params }: MerchantVisit): Promise<Payout> {
  const id = parseId("payout", params["payoutId"] ?? "") ?? refuse("resource_not_found");
  return (await findPayout(ctx.db, merchant.id, id)) ?? refuse("resource_not_found");
}
