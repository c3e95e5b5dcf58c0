import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import pg from "pg";
import { REFUNDS, REQUESTS, TRANSACTIONS } from "../../src/dashboard/payments/lists/queries.ts";
import type { Listing, Row } from "../../src/dashboard/shell/lists/listing.ts";
import { sortRows, totalRows, walkRows } from "../../src/dashboard/shell/lists/queries.ts";
import { searchedFor } from "../../src/dashboard/shell/lists/search.ts";
import { walkOf } from "../../src/dashboard/shell/lists/walk.ts";
import type { Id } from "../../src/kernel/ids.ts";
import { instant } from "../../src/kernel/time.ts";
import type { Tx } from "../../src/platform/db/database.ts";
import { assertFlat, pagesTouched } from "../support/costs.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { makeRefunds, makeSurroundings, makeTransactions } from "../support/many-payments.ts";

/** Both have more rows than a page of an unindexed word searches. */
const SMALL = 24_000;
const LARGE = 64_000;
const BUSY = "mer_busy" as Id<"merchant">;
const UNTIL = Date.parse("2026-06-01T00:00:00Z");
const YEAR = 365 * 86_400_000;
const NOW = instant(UNTIL);

async function makeDatabase(rows: number): Promise<TestDatabase> {
  const database = await cloneDatabase();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    const many = { merchantId: BUSY, rows, until: UNTIL, span: YEAR };
    const run = (text: string, values: readonly unknown[] = []) => client.query(text, [...values]);
    // What the planner believes is from before these rows.
    for (const table of ["transactions", "refunds", "payment_requests", "customers"]) {
      await run(`alter table ${table} set (autovacuum_enabled = off)`);
      await run(`analyze ${table}`);
    }
    await makeTransactions(run, many);
    await makeRefunds(run, many);
    await makeSurroundings(run, many);
  } finally {
    await client.end();
  }
  return database;
}

type Work = (tx: Tx) => Promise<unknown>;

const walk = (listing: Listing<Row>) => walkOf(listing.noun, {});
const found =
  (listing: Listing<Row>, text: string): Work =>
  (tx) =>
    walkRows(tx, BUSY, listing, { walk: walk(listing), filters: {}, search: searchedFor(text), now: NOW });
const worded =
  (listing: Listing<Row>, status: string): Work =>
  (tx) =>
    walkRows(tx, BUSY, listing, { walk: walk(listing), filters: { status }, now: NOW });
const sorted =
  (listing: Listing<Row>, name: string, order: "asc" | "desc"): Work =>
  async (tx) => {
    const first = await sortRows(tx, BUSY, listing, {
      reading: undefined,
      sorting: { name, order, cursor: undefined },
    });
    const cursor = first.rows.at(-1)?.id;
    assert.ok(cursor !== undefined);
    return sortRows(tx, BUSY, listing, { reading: undefined, sorting: { name, order, cursor } });
  };
const totalled =
  (listing: Listing<Row>, filters: Readonly<Record<string, string>>): Work =>
  (tx) =>
    totalRows(tx, BUSY, listing, { walk: walk(listing), filters, now: NOW });

const LISTS: Readonly<Record<string, Work>> = {
  "the first payment requests": (tx) =>
    walkRows(tx, BUSY, REQUESTS, { walk: walk(REQUESTS), filters: {}, now: NOW }),
  "a reference": found(TRANSACTIONS, "order-500"),
  "last four digits that every card has": found(TRANSACTIONS, "1111"),
  "last four digits that no card has": found(TRANSACTIONS, "9999"),
  "an amount": found(TRANSACTIONS, "89.19"),
  "the amount of a request": found(REQUESTS, "89.19"),
  "an e-mail address": found(TRANSACTIONS, "customer-10@example.com"),
  "the e-mail address of a request": found(REQUESTS, "customer-10@example.com"),
  "an unknown pair": found(TRANSACTIONS, "order=none"),
  "paid transactions": worded(TRANSACTIONS, "paid"),
  "processing transactions": worded(TRANSACTIONS, "processing"),
  "disputed transactions, of which there are none": worded(TRANSACTIONS, "disputed"),
  "paid requests": worded(REQUESTS, "paid"),
  "unpaid requests": worded(REQUESTS, "unpaid"),
  "disputed requests, of which there are none": worded(REQUESTS, "disputed"),
  "the largest transactions": sorted(TRANSACTIONS, "amount", "desc"),
  "the smallest requests": sorted(REQUESTS, "amount", "asc"),
  "refunds by reference": sorted(REFUNDS, "reference", "asc"),
  "the total of approved transactions": totalled(TRANSACTIONS, { result: "approved" }),
  "the total of paid requests": totalled(REQUESTS, { status: "paid" }),
};

describe("issue 19: the dashboard's lists cost the same, however many rows there are", () => {
  let small: TestDatabase;
  let large: TestDatabase;
  before(async () => {
    small = await makeDatabase(SMALL);
    large = await makeDatabase(LARGE);
  });
  after(async () => {
    await small.drop();
    await large.drop();
  });

  for (const statistics of ["stale", "fresh"]) {
    test(`with ${statistics} statistics`, async () => {
      if (statistics === "fresh") for (const one of [small, large]) await one.rows("analyze");
      for (const [what, work] of Object.entries(LISTS))
        assertFlat(await pagesTouched(small, work), await pagesTouched(large, work), what);
    });
  }

  test("control: without the index of amounts the cost grows", async () => {
    for (const one of [small, large]) await one.rows("drop index transactions_by_amount");
    const work = sorted(TRANSACTIONS, "amount", "desc");
    const [few, many] = [await pagesTouched(small, work), await pagesTouched(large, work)];
    assert.throws(() => assertFlat(few, many, "without the index"));
  });
});
