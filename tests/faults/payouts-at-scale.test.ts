import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { JOBS } from "../../src/app/jobs.ts";
import { createMerchant, type Merchant } from "../../src/features/merchants/index.ts";
import { buildPayout } from "../../src/features/payouts/build-payout.ts";
import { runPayouts } from "../../src/features/payouts/make-payouts.ts";
import { countLines, lockBuild, type takeLines } from "../../src/features/payouts/queries.ts";
import type { Id } from "../../src/kernel/ids.ts";
import { DAY, instant, later } from "../../src/kernel/time.ts";
import type { Context } from "../../src/platform/context.ts";
import { startWorker } from "../../src/platform/jobs/worker.ts";
import { assertFlat, pagesTouched } from "../support/costs.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { inContext } from "../support/operator.ts";
import { sized } from "../support/proof.ts";

/** Of a whole payout; a table of ROWS shows that a step costs the same in a large one. */
const LINES = 60_000;
const ROWS = sized(30_000, 300_000);

type Payout = { readonly amount: string; readonly lines: number; readonly payments: string };
const payoutsOf = (database: TestDatabase, merchantId: string) =>
  database.rows<Payout>("select amount, lines, payments from payouts where merchant_id = $1 order by id", [
    merchantId,
  ]);

/** Lines of the day before yesterday, each with an amount of its own. */
async function addLines(
  database: TestDatabase,
  merchantId: string,
  { count, amount = 100, kind = "payment" }: { count: number; amount?: number; kind?: string },
): Promise<void> {
  await database.rows(
    `insert into payout_lines (merchant_id, kind, subject_id, transaction_id, currency, amount, at)
     select $1, $2, 'txn_' || $2 || lpad(n::text, 10, '0'), 'txn_' || n, 'AUD', $3::int,
       now() - interval '2 days' + (n % 1000) * interval '1 second'
     from generate_series(1, $4) n`,
    [merchantId, kind, amount, count],
  );
}

async function newMerchant(ctx: Context): Promise<Merchant> {
  const wish = { name: "Shop", mode: "sandbox", country: "AU" } as const;
  return (await ctx.db.transaction((tx) => createMerchant(ctx, tx, wish))).merchant;
}

describe("a payout of many lines", () => {
  let database: TestDatabase;
  before(async () => {
    database = await cloneDatabase();
  });
  after(() => database.drop());

  test("is built in steps of less than a second, survives a stop between any two, and adds up", async () => {
    await inContext(database, async (ctx) => {
      const merchant = await newMerchant(ctx);
      await addLines(database, merchant.id, { count: LINES });
      const times: number[] = [];
      for (let next: unknown = ctx.now(); typeof next === "number"; ) {
        const begun = performance.now();
        // Every step stands alone: what the one before knew is on record, not in memory.
        next = await runPayouts(ctx, merchant);
        times.push(performance.now() - begun);
      }
      assert.ok(times.length > 10, `${times.length} steps`);
      // The median: a busy machine may hold any step up.
      const median = times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0;
      assert.ok(median < 2_000, `steps took ${times.map(Math.round).join(", ")} ms`);
      assert.deepEqual(await payoutsOf(database, merchant.id), [
        { amount: String(LINES * 100), lines: LINES, payments: String(LINES * 100) },
      ]);
      const [left] = await database.rows<{ count: string }>(
        "select count(*) from payout_lines where merchant_id = $1 and payout_id is null",
        [merchant.id],
      );
      assert.equal(left?.count, "0");
      assert.deepEqual(await database.rows("select from payout_builds"), []);
      const events = await database.rows("select from events where merchant_id = $1 and event = 'payouts'", [
        merchant.id,
      ]);
      assert.equal(events.length, 1);
    });
  });

  test("delays no other merchant's payout, and a merchant whose payout fails delays none", async () => {
    await inContext(database, async (ctx) => {
      const [big, broken, small] = [await newMerchant(ctx), await newMerchant(ctx), await newMerchant(ctx)];
      await addLines(database, big.id, { count: 20_000 });
      for (const one of [broken, small]) await addLines(database, one.id, { count: 3 });
      // A payout of this merchant breaks a rule of the database, again and again.
      await database.rows(
        `alter table payouts add constraint broken_by_test check (merchant_id <> '${broken.id}')`,
      );
      const worker = startWorker(ctx, JOBS, []);
      try {
        await eventually(
          "the small merchant is paid",
          async () => (await payoutsOf(database, small.id)).length === 1,
        );
        assert.equal((await payoutsOf(database, big.id)).length, 0, "before the big one is");
        await eventually("the broken one is on record as failing", async () => {
          const rows = await database.rows(
            "select from jobs where merchant_id = $1 and problem is not null",
            [broken.id],
          );
          return rows.length === 1;
        });
        await eventually(
          "the big one is paid",
          async () => (await payoutsOf(database, big.id)).length === 1,
          120_000,
        );
      } finally {
        await worker.stop();
        await database.rows("alter table payouts drop constraint broken_by_test");
      }
      const [job] = await database.rows<{ ahead: boolean }>(
        "select due_at > now() + interval '10 minutes' as ahead from jobs where merchant_id = $1 and kind = 'payout_run'",
        [small.id],
      );
      assert.ok(job !== undefined, "its job waits for the next day");
    });
  });

  test("that comes to nothing or less is not made, and its lines stay held until the next day", async () => {
    await inContext(database, async (ctx) => {
      const merchant = await newMerchant(ctx);
      await addLines(database, merchant.id, { count: 2, amount: 100 });
      await addLines(database, merchant.id, { count: 1, amount: -300, kind: "refund" });
      const next = await runToEnd(ctx, merchant);
      assert.ok(
        typeof next === "object" && "onMerchantsClock" in next,
        "it looks again tomorrow, not every two seconds",
      );
      assert.deepEqual(await payoutsOf(database, merchant.id), []);
      assert.deepEqual(
        await database.rows("select from payout_builds where merchant_id = $1", [merchant.id]),
        [],
      );
      await database.rows(
        `insert into payout_lines (merchant_id, kind, subject_id, transaction_id, currency, amount, at)
         values ($1, 'payment', 'txn_late', 'txn_late', 'AUD', 250, now() - interval '2 days')`,
        [merchant.id],
      );
      await runToEnd(ctx, merchant);
      assert.deepEqual(
        (await payoutsOf(database, merchant.id)).map(({ amount, lines }) => [amount, lines]),
        [["150", 4]],
      );
    });
  });

  test("that a late refund takes all of goes on with the lines of later days", async () => {
    await inContext(database, async (ctx) => {
      const merchant = await newMerchant(ctx);
      const [day, nextDay] = [instant(ctx.now() - DAY), ctx.now()];
      await addLines(database, merchant.id, { count: 1, amount: 1_000 });
      assert.equal(await buildPayout(ctx, merchant, "AUD", day), "more", "counted: something is owed");
      await addLines(database, merchant.id, { count: 1, amount: -1_000, kind: "refund" });
      assert.equal(await buildPayout(ctx, merchant, "AUD", day), "nothing");
      assert.equal(await buildPayout(ctx, merchant, "AUD", day), "nothing");
      assert.deepEqual(await payoutsOf(database, merchant.id), []);
      await database.rows(
        `insert into payout_lines (merchant_id, kind, subject_id, transaction_id, currency, amount, at)
         values ($1, 'payment', 'txn_later', 'txn_later', 'AUD', 50000, now() - interval '1 hour')`,
        [merchant.id],
      );
      let step = await buildPayout(ctx, merchant, "AUD", nextDay);
      while (step === "more") step = await buildPayout(ctx, merchant, "AUD", nextDay);
      assert.ok(typeof step === "object" && step.cutOff === nextDay, JSON.stringify(step));
      assert.deepEqual(
        (await payoutsOf(database, merchant.id)).map(({ amount, lines }) => [amount, lines]),
        [["50000", 3]],
      );
      assert.deepEqual(
        await database.rows("select from payout_lines where merchant_id = $1 and payout_id is null", [
          merchant.id,
        ]),
        [],
      );
    });
  });

  test("built by two nodes at once is one payout with every line once", async () => {
    await inContext(database, async (ctx) => {
      const merchant = await newMerchant(ctx);
      await addLines(database, merchant.id, { count: 10_000 });
      await Promise.all([runToEnd(ctx, merchant), runToEnd(ctx, merchant), runToEnd(ctx, merchant)]);
      assert.deepEqual(
        (await payoutsOf(database, merchant.id)).map(({ amount, lines }) => [amount, lines]),
        [["1000000", 10_000]],
      );
    });
  });

  test("is as quick for a merchant that the planner's statistics do not know yet", async () => {
    await inContext(database, async (ctx) => {
      await database.rows("analyze payout_lines");
      const merchant = await newMerchant(ctx);
      await addLines(database, merchant.id, { count: 20_000 });
      const begun = performance.now();
      await runToEnd(ctx, merchant);
      const ms = Math.round(performance.now() - begun);
      assert.ok(ms < 60_000, `all steps took ${ms} ms`);
      assert.equal((await payoutsOf(database, merchant.id)).length, 1);
    });
  });

  test("costs per step what a small one does", async () => {
    const small = await cloneDatabase();
    try {
      const cutOff = instant(Date.now() - 86_400_000);
      const work = (merchantId: string) => async (tx: Parameters<typeof takeLines>[0]) => {
        const build = await lockBuild(tx, merchantId as Id<"merchant">, "AUD", cutOff);
        assert.ok(build);
        await countLines(tx, { ...build, lastAt: later(cutOff, -60_000), lastSubjectId: "z", lastKind: "z" });
      };
      const pages: number[] = [];
      for (const [one, count] of [
        [small, 10],
        [database, ROWS],
      ] as const) {
        pages.push(
          await inContext(one, async (ctx) => {
            const merchant = await newMerchant(ctx);
            await addLines(one, merchant.id, { count });
            await one.rows("vacuum analyze payout_lines");
            return pagesTouched(one, work(merchant.id));
          }),
        );
      }
      assertFlat(pages[0] ?? 0, pages[1] ?? 0, "beginning a payout and reading past its lines");
    } finally {
      await small.drop();
    }
  });
});

async function runToEnd(ctx: Context, merchant: Merchant) {
  let next = await runPayouts(ctx, merchant);
  while (typeof next === "number") next = await runPayouts(ctx, merchant);
  return next;
}

describe("a step of a payout", () => {
  test("does nothing for a merchant that is owed nothing", async () => {
    const database = await cloneDatabase();
    try {
      await inContext(database, async (ctx) => {
        const merchant = await newMerchant(ctx);
        assert.equal(await buildPayout(ctx, merchant, "AUD", ctx.now()), "nothing");
        assert.deepEqual(await database.rows("select from payout_builds"), []);
      });
    } finally {
      await database.drop();
    }
  });
});
