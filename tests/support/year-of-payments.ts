import pg from "pg";
import type { Id } from "../../src/kernel/ids.ts";
import { cloneFilled, type TestDatabase } from "./database.ts";
import {
  keepStatisticsStale,
  makeDisputes,
  makeEvents,
  makePairs,
  makeRefunds,
  makeRequestsAndCustomers,
  makeTransactions,
  type Run,
  withoutIndexes,
} from "./many-payments.ts";

export const BUSY = "mer_busy" as Id<"merchant">;
export const UNTIL = Date.parse("2026-06-01T00:00:00Z");
export const YEAR = 365 * 86_400_000;

const TABLES = [
  "transactions",
  "refunds",
  "payment_requests",
  "customers",
  "disputes",
  "events",
  "deliveries",
  "metadata_pairs",
];

/** A year of payments of one merchant; one transaction in a hundred was changed again in the last hours. */
export function databaseOfPayments(rows: number): Promise<TestDatabase> {
  return cloneFilled(`year_of_${rows}`, async (url) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      await fill((text, values = []) => client.query(text, [...values]), rows);
    } finally {
      await client.end();
    }
  });
}

async function fill(run: Run, rows: number): Promise<void> {
  const many = { merchantId: BUSY, rows, until: UNTIL, span: YEAR };
  await keepStatisticsStale(run, TABLES);
  await withoutIndexes(run, TABLES, async () => {
    await makeTransactions(run, many);
    await makeRefunds(run, many);
    await makeRequestsAndCustomers(run, many);
    await makeDisputes(run, many);
    await makeEvents(run, many);
    await makePairs(run, many);
    await run("set session_replication_role = replica");
    await run(
      `update transactions set updated_at = to_timestamp($1) - (right(reference, 2)::int) * interval '1 second'
       where reference like 'order-%7_' and merchant_id = $2 and right(reference, 3)::int % 100 = 70`,
      [UNTIL / 1000, BUSY],
    );
  });
}
