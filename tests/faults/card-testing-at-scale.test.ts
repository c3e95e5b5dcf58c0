import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import pg from "pg";
import {
  countAttempt,
  deleteOldCounters,
  deleteOldMarks,
  insertMark,
  isAnySuspected,
  isMarked,
  uncountAttempt,
  uncountedValues,
} from "../../src/features/card-testing/queries.ts";
import type { Id } from "../../src/kernel/ids.ts";
import { HOUR, instant, later } from "../../src/kernel/time.ts";
import { at, sql } from "../../src/platform/db/database.ts";
import { assertFlat, pagesTouched } from "../support/costs.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { fillWithoutIndexes } from "../support/many-payments.ts";
import { makeMerchant } from "../support/operator.ts";
import { literals } from "../support/plans.ts";
import { sized } from "../support/proof.ts";

const NOW = instant(Date.UTC(2026, 10, 16, 12));
const OLD = later(NOW, -24 * HOUR);
const MANY = sized(10_000, 300_000);

type Filled = { readonly database: TestDatabase; readonly merchantId: Id<"merchant"> };

/** Counters and marks of one merchant under attack, none of them old enough to go. */
async function fill(count: number, analysed: boolean): Promise<Filled> {
  const database = await cloneDatabase();
  const { id } = await makeMerchant(database, "sandbox", "AU");
  const merchantId = id as Id<"merchant">;
  if (!analysed) await database.rows("analyze card_testing_counters, card_testing_attempts");
  await fillWithoutIndexes(database, ["card_testing_counters", "card_testing_attempts"], async (run) => {
    await run(
      `insert into card_testing_counters (merchant_id, kind, key, risk, approved, counted_at, hour)
       select $1, case n % 3 when 0 then 'address' when 1 then 'bin' else 'card' end, 'k' || n, 1, 0, $2, date_trunc('hour', $2::timestamptz)
       from generate_series(1, $3::int) n`,
      [merchantId, new Date(NOW), count],
    );
    await run(
      `insert into card_testing_attempts (merchant_id, transaction_id, created_at)
       select $1, 'txn_' || n, $2 from generate_series(1, $3::int) n`,
      [merchantId, new Date(NOW), count],
    );
  });
  if (analysed) await database.rows("vacuum analyze card_testing_counters, card_testing_attempts");
  return { database, merchantId };
}

const COUNTS = [
  { kind: "address", key: "k3", weight: 1, limit: 1_000 },
  { kind: "bin", key: "k1", weight: 1, limit: 1_000 },
  { kind: "card", key: "new", weight: 1, limit: 1_000 },
  { kind: "merchant", key: "", weight: 1, limit: 1_000 },
] as const;

const SUSPECTED = sql(
  "suspected",
  `select from (select $2::json as counts, $3::timestamptz as counted_at) as input
   where ${isAnySuspected("input.counts", "input.counted_at")}`,
);
const suspicion = (merchantId: Id<"merchant">) => [
  merchantId,
  JSON.stringify(COUNTS.map((count) => uncountedValues({ ...count, uncounted: 0, approved: 0 }))),
  at(NOW),
];

describe(`counting attempts costs the same at 10 and at ${MANY} rows`, () => {
  for (const statistics of ["fresh", "stale"] as const) {
    describe(`with ${statistics} statistics`, () => {
      let small: Filled;
      let large: Filled;
      before(async () => {
        small = await fill(10, statistics === "fresh");
        large = await fill(MANY, statistics === "fresh");
      });
      after(() => Promise.all([small.database.drop(), large.database.drop()]));

      const cases: Readonly<Record<string, (filled: Filled) => Parameters<typeof pagesTouched>[1]>> = {
        "looking for a suspicion":
          ({ merchantId }) =>
          (tx) =>
            tx.rows(SUSPECTED, suspicion(merchantId)),
        "counting an attempt":
          ({ merchantId }) =>
          (tx) =>
            countAttempt(tx, merchantId, COUNTS, NOW),
        "taking it back":
          ({ merchantId }) =>
          (tx) =>
            uncountAttempt(tx, merchantId, { counts: COUNTS, approvals: 1 }, NOW),
        "marking an attempt":
          ({ merchantId }) =>
          (tx) =>
            insertMark(tx, { merchantId, id: "txn_x" as Id<"transaction"> }, NOW),
        "looking for a mark":
          ({ merchantId }) =>
          (tx) =>
            isMarked(tx, { merchantId, id: "txn_3" as Id<"transaction"> }),
        "looking for old counters": () => (tx) => deleteOldCounters(tx, OLD, 10_000),
        "looking for old marks": () => (tx) => deleteOldMarks(tx, OLD, 10_000),
      };
      for (const [what, work] of Object.entries(cases)) {
        test(what, async () => {
          const [few, many] = [
            await pagesTouched(small.database, work(small)),
            await pagesTouched(large.database, work(large)),
          ];
          assertFlat(few, many, what);
        });
      }

      test("control: without the index of hours, looking for old counters reads them all", async () => {
        const { database } = large;
        await database.rows("alter index card_testing_counters_hour rename to hidden");
        await database.rows("update pg_index set indisvalid = false where indexrelid = 'hidden'::regclass");
        const many = await pagesTouched(database, (tx) => deleteOldCounters(tx, OLD, 10_000));
        assert.ok(many > MANY / 100, `${many} pages`);
      });
    });
  }
});

test("a plan from before an attack reads no more counters than the attempt has", async (t) => {
  const database = await cloneDatabase();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  t.after(async () => {
    await client.end();
    await database.drop();
  });
  const { id } = await makeMerchant(database, "sandbox", "AU");
  const parameters = literals(client, suspicion(id as Id<"merchant">));
  await client.query("set plan_cache_mode = force_generic_plan");
  await client.query(`prepare suspected as ${SUSPECTED.text}`);
  await client.query(`execute suspected (${parameters})`);
  await client.query(
    `insert into card_testing_counters (merchant_id, kind, key, risk, approved, counted_at, hour)
     select $1, 'card', 'k' || n, 1, 0, $2, date_trunc('hour', $2::timestamptz) from generate_series(1, 5000) n`,
    [id, new Date(NOW)],
  );
  const explain = `explain (analyze, buffers, timing off, format json) execute suspected (${parameters})`;
  const { rows } = await client.query(explain);
  const plan = rows[0]["QUERY PLAN"][0].Plan;
  const pages = plan["Shared Hit Blocks"] + plan["Shared Read Blocks"];
  assert.ok(pages <= 8 * COUNTS.length, `${pages} pages`);
});
