import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { CHORES } from "../../src/app/jobs.ts";
import { deleteOldEvents } from "../../src/features/deliveries/queries.ts";
import { deleteOldTokens } from "../../src/features/tokens/queries.ts";
import { DAY, type Instant, instant, later } from "../../src/kernel/time.ts";
import type { Tx } from "../../src/platform/db/database.ts";
import { deleteOldKeys } from "../../src/platform/idempotency/queries.ts";
import type { Deleted, Portion } from "../../src/platform/jobs/retention.ts";
import { pagesTouched } from "../support/costs.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { inContext } from "../support/operator.ts";
import { declareProof } from "../support/proof.ts";

const proof = declareProof("deleting old records costs the same after rounds of deleting and refilling", [
  "I23",
]);

const CYCLES = 10;
const ROWS = 10_000;
const PORTION = 1_000;
/** Small, so that reading too much shows beside the cost of deleting. */
const MEASURED = 50;
const START = instant(Date.parse("2026-01-01T00:00:00Z"));

/** Rows of one day, and how many pages a portion may touch. Keys are random, so that new rows land wherever deleted ones left room. */
const FILLS: Readonly<
  Record<
    string,
    { readonly tables: readonly string[]; readonly fill: readonly string[]; readonly most: number }
  >
> = {
  idempotency_keys: {
    tables: ["idempotency_keys"],
    most: 50,
    fill: [
      `insert into idempotency_keys (merchant_id, key, request_id, created_at)
       select 'mer_' || n % 50, gen_random_uuid(), 'req', $1::timestamptz + n * interval '8 seconds'
       from generate_series(1, $2::int) n`,
    ],
  },
  events: {
    tables: ["events", "deliveries", "delivery_attempts"],
    most: 400,
    fill: [
      `insert into events (merchant_id, id, event, resource_id, created_at, body)
       select 'mer_' || n % 50, 'evt_' || extract(epoch from $1::timestamptz) || n, 'transactions', 'txn_' || n,
         $1::timestamptz + n * interval '8 seconds', repeat('x', 300) from generate_series(1, $2::int) n`,
      `insert into deliveries (merchant_id, event_id, webhook_id, status, attempts, due_at)
       select merchant_id, id, 'wh_1', 'delivered', 2, created_at from events where created_at > $1 and $2::int > 0`,
      `insert into delivery_attempts (merchant_id, event_id, webhook_id, attempt, attempted_at, latency_ms)
       select merchant_id, id, 'wh_1', 1, created_at, 5 from events where created_at > $1 and $2::int > 0`,
    ],
  },
  one_time_tokens: {
    tables: ["one_time_tokens"],
    most: 50,
    fill: [
      `insert into one_time_tokens (hash, id, merchant_id, payment_request_id, status, created_at, expires_at)
       select sha256(gen_random_uuid()::text::bytea), 'ott_' || n, 'mer_1', 'pr_1', 'created', $1::timestamptz,
         $1::timestamptz + n * interval '8 seconds' from generate_series(1, $2::int) n`,
    ],
  },
};

const DELETES: Readonly<Record<string, (tx: Tx, portion: Portion) => Promise<Deleted>>> = {
  idempotency_keys: deleteOldKeys,
  events: deleteOldEvents,
  one_time_tokens: deleteOldTokens,
};

describe("retention costs the same after ten rounds of deleting and refilling", () => {
  let database: TestDatabase;
  before(async () => {
    database = await cloneDatabase();
    await database.rows(
      "alter table one_time_tokens drop constraint one_time_tokens_merchant_id_payment_request_id_fkey",
    );
  });
  after(() => database.drop());

  for (const [table, { tables, fill, most }] of Object.entries(FILLS)) {
    const deletePortion = DELETES[table];
    assert.ok(deletePortion);

    const fillDay = async (day: Instant) => {
      for (const text of fill) await database.rows(text, [new Date(day), ROWS]);
    };
    const deleteBefore = async (moment: Instant) => {
      let count = 0;
      await inContext(database, async (ctx) => {
        for (let from: Instant | null = null, more = true; more; ) {
          const portion = { from, before: moment, atMost: PORTION };
          const deleted: Deleted = await ctx.db.transaction((tx) => deletePortion(tx, portion));
          count += deleted.count;
          from = deleted.upTo;
          more = deleted.count === PORTION;
        }
      });
      return count;
    };

    test(table, async (t) => {
      for (let day = 0; day < 3; day += 1) await fillDay(later(START, day * DAY));
      const pages: number[] = [];
      for (let cycle = 0; cycle < CYCLES; cycle += 1) {
        for (const one of tables) await database.rows(`vacuum analyze ${one}`);
        const moment = later(START, (cycle + 1) * DAY);
        const portion = { from: null, before: moment, atMost: MEASURED };
        pages.push(await pagesTouched(database, (tx) => deletePortion(tx, portion)));
        assert.equal(await deleteBefore(moment), ROWS);
        for (const one of tables) await database.rows(`vacuum ${one}`);
        await fillDay(later(START, (cycle + 3) * DAY));
      }
      const [{ count } = { count: "0" }] = await database.rows<{ count: string }>(
        `select count(*) from ${table}`,
      );
      assert.equal(Number(count), 3 * ROWS);
      // Three times as many rows that stay.
      for (let day = CYCLES + 3; day < CYCLES + 9; day += 1) await fillDay(later(START, day * DAY));
      for (const one of tables) await database.rows(`vacuum analyze ${one}`);
      const portion = { from: null, before: later(START, (CYCLES + 1) * DAY), atMost: MEASURED };
      pages.push(await pagesTouched(database, (tx) => deletePortion(tx, portion)));
      // The tables have hundreds of pages.
      assert.ok(Math.max(...pages) <= most, `pages of a portion, by cycle: ${pages.join(", ")}`);
      proof.count({ "rounds of deleting": CYCLES });
      t.diagnostic(`pages of a portion, by cycle: ${pages.join(", ")}`);
      const [first = 0, last = 0] = [pages.at(0), pages.at(-1)];
      assert.ok(last <= 2 * first, `pages of a portion, by cycle: ${pages.join(", ")}`);
    });
  }
});

describe("a one-time token", () => {
  test("is deleted a month after it expired, and not before", async () => {
    const database = await cloneDatabase();
    try {
      await database.rows(
        "alter table one_time_tokens drop constraint one_time_tokens_merchant_id_payment_request_id_fkey",
      );
      await database.rows(
        `insert into one_time_tokens (hash, id, merchant_id, payment_request_id, status, created_at, expires_at)
         select sha256(n::text::bytea), 'ott_' || n, 'mer_1', 'pr_1', 'created', now() - n * interval '1 day',
           now() - n * interval '1 day' from unnest(array[0, 1, 29, 31, 400]) n`,
      );
      const chore = CHORES.find(({ name }) => name === "delete expired one-time tokens");
      assert.ok(chore);
      await inContext(database, async (ctx) => assert.equal(await chore.run(ctx), "done"));
      const left = await database.rows<{ id: string }>(
        "select id from one_time_tokens order by expires_at desc",
      );
      assert.deepEqual(
        left.map(({ id }) => id),
        ["ott_0", "ott_1", "ott_29"],
      );
    } finally {
      await database.drop();
    }
  });
});
