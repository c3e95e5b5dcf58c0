import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { DISPUTES } from "../../src/dashboard/disputes/queries.ts";
import { TRANSACTIONS } from "../../src/dashboard/payments/lists/queries.ts";
import type { Listing, Row } from "../../src/dashboard/shell/lists/listing.ts";
import { totalRows, walkRows } from "../../src/dashboard/shell/lists/queries.ts";
import { searchedFor } from "../../src/dashboard/shell/lists/search.ts";
import { walkOf } from "../../src/dashboard/shell/lists/walk.ts";
import type { Id } from "../../src/kernel/ids.ts";
import type { Tx } from "../../src/platform/db/database.ts";
import { assertFlat, pagesTouched } from "../support/costs.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { fillWithoutIndexes, makeDisputes, makeTransactions } from "../support/many-payments.ts";

const SMALL = 10;
const LARGE = 300_000;
const SAME = "mer_same" as Id<"merchant">;
const UNTIL = Date.parse("2026-06-01T00:00:00Z");
const SPAN = 365 * 86_400_000;
const TABLES = ["transactions", "disputes"];

/** A club: every payment has one amount, one reference and one card. */
async function makeDatabase(rows: number): Promise<TestDatabase> {
  const database = await cloneDatabase();
  for (const table of TABLES) await database.rows(`alter table ${table} set (autovacuum_enabled = off)`);
  await fillWithoutIndexes(database, TABLES, async (run) => {
    const many = { merchantId: SAME, rows, until: UNTIL, span: SPAN };
    await makeTransactions(run, many);
    await makeDisputes(run, many);
    await run("set session_replication_role = replica");
    await run("delete from transactions where status <> 'approved'");
    await run("update transactions set amount = 2000, captured = 2000, reference = 'membership'");
    await run("update disputes set amount = 2000, reference = 'membership', status = 'lost'");
  });
  return database;
}

/** The search and the filters for a value that no row has. */
function works(listing: Listing<Row>): Readonly<Record<string, (tx: Tx) => Promise<unknown>>> {
  const walk = walkOf(listing.noun, {});
  const search = (text: string) => ({ walk, filters: {}, search: searchedFor(text) });
  return {
    "searched for another amount": (tx) => walkRows(tx, SAME, listing, search("89.19")),
    "searched for another reference": (tx) => walkRows(tx, SAME, listing, search("guest")),
    "searched for four digits": (tx) => walkRows(tx, SAME, listing, search("9999")),
    "filtered by another reference": (tx) =>
      walkRows(tx, SAME, listing, { walk, filters: { reference: "guest" } }),
    "filtered by another state": (tx) =>
      walkRows(tx, SAME, listing, { walk, filters: { status: listing === DISPUTES ? "won" : "returned" } }),
    "the total of another amount": (tx) => totalRows(tx, SAME, listing, search("89.19")),
  };
}

describe("searching a merchant's equal rows for another value is an index walk", () => {
  let [small, large]: TestDatabase[] = [];
  before(async () => {
    small = await makeDatabase(SMALL);
    large = await makeDatabase(LARGE);
  });
  after(async () => {
    for (const one of [small, large]) await one?.drop();
  });

  for (const statistics of ["stale", "fresh"]) {
    test(`with ${statistics} statistics`, async () => {
      assert.ok(small !== undefined && large !== undefined);
      if (statistics === "fresh") for (const one of [small, large]) await one.rows("vacuum analyze");
      for (const listing of [DISPUTES, TRANSACTIONS])
        for (const [what, work] of Object.entries(works(listing)))
          assertFlat(
            await pagesTouched(small, work),
            await pagesTouched(large, work),
            `${listing.name}, ${what}`,
          );
    });
  }

  test("control: the rows with the value are found", async () => {
    assert.ok(small !== undefined);
    const reading = { walk: walkOf("dispute", {}), filters: {}, search: searchedFor("$20") };
    let found: readonly Row[] = [];
    await pagesTouched(small, async (tx) => {
      found = (await walkRows(tx, SAME, DISPUTES, reading)).rows;
    });
    assert.equal(found.length, SMALL);
  });
});
