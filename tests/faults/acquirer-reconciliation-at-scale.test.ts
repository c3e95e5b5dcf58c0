import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import {
  type Owner,
  type ReadPortion,
  readRefunds,
  readTransactions,
} from "../../src/features/acquirer-reconciliation/queries.ts";
import { sql } from "../../src/platform/db/statement.ts";
import { isFlat, pagesTouched } from "../support/costs.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { fillWithoutIndexes, makeRefunds, makeTransactions } from "../support/many-payments.ts";
import { inContext } from "../support/operator.ts";

const DAY = 86_400_000;
const SWITCHED = Date.UTC(2026, 0, 1);
/** Payments at the earlier account; one in 25 has a refund. */
const EARLIER = 1_000;
/** Several portions of refunds, too. */
const FEW = 15_000;
const MANY = 75_000;
/** Of a portion of 500 records that lie far apart; a search for the account's own records touches many times as many. */
const PAGES_AT_MOST = 3 * 500;
const OWNER = { merchantId: "mer_big", accountId: "acq_earlier" } as Owner;

/** A page of the account's own records, however many others lie between. */
const SEARCHES = {
  transactions: sql(
    "search_transactions",
    "select id from transactions where merchant_id = $1 and id > $3 and acquirer_account_id = $2 order by id limit 500",
  ),
  refunds: sql(
    "search_refunds",
    `select r.id from refunds r join transactions t on t.merchant_id = r.merchant_id and t.id = r.transaction_id
     where r.merchant_id = $1 and r.id > $3 and t.acquirer_account_id = $2 order by r.id limit 500`,
  ),
};

/** A merchant that changed its acquirer, with so many payments since. */
async function fill(database: TestDatabase, since: number): Promise<void> {
  const { merchantId } = OWNER;
  await fillWithoutIndexes(database, ["transactions", "refunds"], async (run) => {
    const earlier = { merchantId, rows: EARLIER, until: SWITCHED - DAY, span: 30 * DAY };
    const later = { merchantId, rows: since, until: SWITCHED + 31 * DAY, span: 30 * DAY };
    await makeTransactions(run, earlier);
    await run("set session_replication_role = replica");
    await run("update transactions set acquirer_account_id = $1", [OWNER.accountId]);
    await makeRefunds(run, earlier);
    // At another account, or none: both are passed over.
    await makeTransactions(run, later);
    await makeRefunds(run, later);
  });
  await database.rows("vacuum analyze transactions, refunds");
}

describe("reconciling an account that the merchant left costs a bounded statement at a time", () => {
  let small: TestDatabase;
  let large: TestDatabase;
  before(async () => {
    [small, large] = await Promise.all([cloneDatabase(), cloneDatabase()]);
    await fill(small, FEW);
    await fill(large, MANY);
  });
  after(() => Promise.all([small.drop(), large.drop()]));

  for (const [table, read, noun, count] of [
    ["transactions", readTransactions, "txn", EARLIER],
    ["refunds", readRefunds, "rfd", EARLIER / 25],
  ] as const satisfies readonly (readonly [string, ReadPortion, string, number])[]) {
    const lastEarlier = async (database: TestDatabase) => {
      const [row] = await database.rows<{ id: string }>(
        `select max(id) as id from ${table} where created_at < $1`,
        [new Date(SWITCHED)],
      );
      return row?.id ?? "";
    };

    test(`${table}: the first portion, and one after the change of the acquirer`, async () => {
      for (const startsAfter of [async () => `${noun}_`, lastEarlier]) {
        const pagesIn = async (database: TestDatabase) => {
          const from = await startsAfter(database);
          return pagesTouched(database, (tx) => read(tx, OWNER, from));
        };
        const [few, many] = [await pagesIn(small), await pagesIn(large)];
        assert.ok(
          isFlat(few, many) || many <= PAGES_AT_MOST,
          `${table}: ${few} pages, ${many} in the large table`,
        );
      }
    });

    test(`${table}: the portions have every record of the account, once and in order, and no other`, async () => {
      const found: string[] = [];
      let portions = 0;
      await inContext(small, async ({ db }) => {
        for (let from: string | undefined = `${noun}_`; from !== undefined; ) {
          const { positions, last }: Awaited<ReturnType<ReadPortion>> = await read(db, OWNER, from);
          found.push(...positions.map(({ reference }) => reference));
          portions += 1;
          from = last;
        }
      });
      const expected = await small.rows<{ id: string }>(
        `select id from ${table} where created_at < $1 order by id`,
        [new Date(SWITCHED)],
      );
      assert.equal(expected.length, count);
      assert.deepEqual(
        found,
        expected.map(({ id }) => id),
      );
      assert.ok(portions > 2, "it took several portions");
    });

    test(`${table}: the measure sees a statement that searches for the account's next records`, async () => {
      const pagesIn = async (database: TestDatabase) => {
        const from = await lastEarlier(database);
        return pagesTouched(database, (tx) =>
          tx.rows(SEARCHES[table], [OWNER.merchantId, OWNER.accountId, from]),
        );
      };
      assert.ok(!isFlat(await pagesIn(small), await pagesIn(large)));
    });
  }
});
