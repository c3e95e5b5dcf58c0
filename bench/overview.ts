import pg from "pg";
import { CUSTOMERS } from "../src/dashboard/customers/queries.ts";
import { addUpTotals } from "../src/dashboard/overview/hours/add-up-totals.ts";
import { PERIODS } from "../src/dashboard/overview/overview.ts";
import { readOverview } from "../src/dashboard/overview/read-overview.ts";
import { REFUNDS, REQUESTS, TRANSACTIONS } from "../src/dashboard/payments/lists/queries.ts";
import type { Listing, Row } from "../src/dashboard/shell/lists/listing.ts";
import { type ListInput, readList } from "../src/dashboard/shell/lists/read-list.ts";
import { findMerchant, type Merchant } from "../src/features/merchants/index.ts";
import type { Context } from "../src/platform/context.ts";
import { migrate } from "../src/platform/db/migrate.ts";
import { makeRefunds, makeSurroundings, makeTransactions } from "../tests/support/many-payments.ts";
import { inContext, makeMerchant } from "../tests/support/operator.ts";
import type { BenchOptions, Finding, Question } from "./question.ts";
import { startDatabaseServer } from "./stage/database.ts";

const DAY = 86_400_000;
const ROWS = 100_000;
const TIMES = 9;
const MOST_MS = 1_000;

/** Whether the dashboard's first page is fast for a merchant with very many transactions. */
export const overview: Question = {
  name: "overview",
  description:
    "milliseconds until the dashboard's overview and lists have their data, at --rows transactions in 90 days (median; slowest; goal: under a second)",
  answer: answerOverview,
};

async function answerOverview({ rows = ROWS, stage, report }: BenchOptions): Promise<Finding> {
  report("starting PostgreSQL");
  const url = await (await startDatabaseServer(stage)).newDatabase("ours");
  await migrate(url);
  const database = { url, rows: async () => [], drop: async () => {} };
  const { id } = await makeMerchant(database, "sandbox", "AU");
  report(`making ${rows} transactions with their related records`);
  await fill(url, { merchantId: id, rows, until: Date.now() - 1_000, span: 90 * DAY });
  return inContext(database, async (ctx) => {
    const merchant = await findMerchant(ctx.db, id as Merchant["id"]);
    if (merchant === undefined) throw new Error("no such merchant");
    const before = await time(() => readOverview(ctx, merchant, "90d"), 3);
    report("summing up the hours, as the chore does");
    const adding = await sumHours(ctx);
    const lines = [
      `rows          ${rows} transactions`,
      `summed up in  ${adding.toFixed(0)} ms, once`,
      `90d, before   ${text(before)} (every record read)`,
    ];
    let slowest = 0;
    for (const [name, read] of Object.entries(await reads(ctx, merchant))) {
      const taken = await time(read, TIMES);
      slowest = Math.max(slowest, taken.slowest);
      lines.push(`${name.padEnd(13)} ${text(taken)}`);
    }
    return { lines, met: slowest < MOST_MS };
  });
}

/** The overview for every period, and pages of lists: the first, a deep one, and one whose filter matches nothing. */
async function reads(
  ctx: Context,
  merchant: Merchant,
): Promise<Readonly<Record<string, () => Promise<unknown>>>> {
  const list = (listing: Listing<Row>, input: Partial<ListInput>) => () =>
    readList(ctx, merchant, listing, { filters: {}, ...input });
  const middle = new Date(Date.now() - 45 * DAY).toISOString().slice(0, 10);
  const deep = (await readList(ctx, merchant, TRANSACTIONS, { filters: {}, to: middle })).older;
  return {
    ...Object.fromEntries(PERIODS.map((period) => [period, () => readOverview(ctx, merchant, period)])),
    requests: list(REQUESTS, {}),
    transactions: list(TRANSACTIONS, {}),
    "… deep": list(TRANSACTIONS, { before: deep }),
    "… and back": list(TRANSACTIONS, { after: deep }),
    "… declined": list(TRANSACTIONS, { filters: { result: "declined" }, before: deep }),
    "… reference": list(TRANSACTIONS, { filters: { reference: "order-77" } }),
    "… last4": list(TRANSACTIONS, { filters: { last4: "9999" } }),
    refunds: list(REFUNDS, {}),
    customers: list(CUSTOMERS, {}),
    "… e-mail": list(CUSTOMERS, { filters: { email: "customer-10@example.com" } }),
  };
}

async function fill(url: string, many: Parameters<typeof makeTransactions>[1]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const run = (text: string, values: readonly unknown[] = []) => client.query(text, [...values]);
    await makeTransactions(run, many);
    await makeRefunds(run, many);
    await makeSurroundings(run, many);
    await client.query("vacuum analyze");
  } finally {
    await client.end();
  }
}

async function sumHours(ctx: Context): Promise<number> {
  const startedAt = performance.now();
  await addUpTotals(ctx, 0);
  while ((await addUpTotals(ctx, 0)) === "more");
  return performance.now() - startedAt;
}

type Timing = { readonly median: number; readonly slowest: number };

async function time(work: () => Promise<unknown>, times: number): Promise<Timing> {
  const taken: number[] = [];
  for (let at = 0; at < times; at += 1) {
    const startedAt = performance.now();
    await work();
    taken.push(performance.now() - startedAt);
  }
  taken.sort((one, other) => one - other);
  return {
    median: taken[Math.floor(times / 2)] ?? Number.NaN,
    slowest: taken.at(-1) ?? Number.NaN,
  };
}

function text({ median, slowest }: Timing): string {
  return `${median.toFixed(1)} ms; slowest ${slowest.toFixed(1)} ms`;
}
