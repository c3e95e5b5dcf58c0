import type { Id } from "../../kernel/ids.ts";
import { refuse } from "../../kernel/refusal.ts";
import type { Context } from "../../platform/context.ts";
import { CSV_ANSWER } from "../../platform/http/csv.ts";
import { cutPage, listAnswer, listQuery, pageOf } from "../../platform/http/lists.ts";
import type { Route } from "../../platform/http/route.ts";
import { type Caller, merchantRoute, ok, RESULT_OK } from "../merchants/index.ts";
import type { Payout } from "./payout.ts";
import { payoutCsv } from "./payout-csv.ts";
import { LINES_SHOWN, presentPayout, presentSummary } from "./present.ts";
import { findPayout, listLines, listPayouts } from "./queries.ts";
import { PAYOUT_FILTERS, PayoutAnswer, PayoutSummary } from "./wire.ts";

const GROUP = "Payouts";

export const payoutRoutes: readonly Route<Caller>[] = [
  merchantRoute({
    method: "GET",
    path: "/payouts",
    name: "listPayouts",
    group: GROUP,
    summary: "List payouts",
    about: "Without their lines.",
    scope: "read",
    query: listQuery("payout", PAYOUT_FILTERS),
    answer: listAnswer("payouts", PayoutSummary, RESULT_OK),
    run: async (ctx, { caller, query }) => {
      const page = pageOf("payout", query);
      const rows = await listPayouts(ctx.reads, caller.merchantId, page, { currency: query.currencyCode });
      const { shown, nextCursor } = cutPage(rows, page);
      const payouts = shown.map((one) => presentSummary(one, caller.mode));
      return { count: shown.length, payouts, nextCursor, result: ok(caller.mode) };
    },
  }),
  merchantRoute({
    method: "GET",
    path: "/payouts/{payoutId}",
    name: "getPayout",
    group: GROUP,
    summary: "Read a payout with its lines",
    about: `Shows the first ${LINES_SHOWN} lines; \`/payouts/{payoutId}.csv\` has all of them.`,
    scope: "read",
    answer: PayoutAnswer,
    run: async (ctx, { caller, params }) => {
      const payout = await getPayout(ctx, caller, params.payoutId);
      return presentPayout(payout, await listLines(ctx.db, payout, LINES_SHOWN), caller.mode);
    },
  }),
  merchantRoute({
    method: "GET",
    path: "/payouts/{payoutId}/lines",
    name: "getPayoutLines",
    group: GROUP,
    summary: "Read all lines of a payout as a CSV",
    about: "The same as `/payouts/{payoutId}.csv`.",
    scope: "read",
    answer: CSV_ANSWER,
    answers: "text/csv",
    run: exportLines,
  }),
  merchantRoute({
    method: "GET",
    path: "/payouts/{payoutId}.csv",
    name: "exportPayout",
    group: GROUP,
    summary: "Export all lines of a payout as a CSV",
    scope: "read",
    answer: CSV_ANSWER,
    answers: "text/csv",
    run: exportLines,
  }),
];

type PayoutInput = { readonly caller: Caller; readonly params: { readonly payoutId: Id<"payout"> } };

async function exportLines(ctx: Context, { caller, params }: PayoutInput): Promise<AsyncIterable<string>> {
  return payoutCsv(ctx.reads, await getPayout(ctx, caller, params.payoutId));
}

async function getPayout(ctx: Context, caller: Caller, id: Id<"payout">): Promise<Payout> {
  return (await findPayout(ctx.db, caller.merchantId, id)) ?? refuse("resource_not_found");
}
