import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import pg from "pg";
import { addUpTotals } from "../../src/dashboard/overview/hours/add-up-totals.ts";
import { readOverview } from "../../src/dashboard/overview/read-overview.ts";
import { findMerchant, type Merchant } from "../../src/features/merchants/index.ts";
import { buildPayout } from "../../src/features/payouts/build-payout.ts";
import { addHeld, readHeld } from "../../src/features/payouts/held/queries.ts";
import { instant } from "../../src/kernel/time.ts";
import type { Context } from "../../src/platform/context.ts";
import { assertFlat, pagesTouched } from "../support/costs.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import {
  keepStatisticsStale,
  makeRefunds,
  makeTransactions,
  withoutIndexes,
} from "../support/many-payments.ts";
import { inContext, makeMerchant } from "../support/operator.ts";
import { sized } from "../support/proof.ts";

const DAY = 86_400_000;
const NOW = instant(Date.parse("2026-06-01T03:20:00Z"));
const SPAN = 10 * DAY;
/** At least: they are small, and most of one day lie together. */
const TOTALS_IN_A_PAGE = 8;
const TABLES = ["payout_lines", "transactions", "refunds"];

type Place = { readonly database: TestDatabase; readonly merchantId: Merchant["id"] };

/** Payments of ten days, none of them paid out, in tables that the planner takes for empty. */
async function makePlace(rows: number): Promise<Place> {
  const database = await cloneDatabase();
  const { id } = await makeMerchant(database, "sandbox", "AU", () => NOW);
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    const run = (text: string, values: readonly unknown[] = []) => client.query(text, [...values]);
    await keepStatisticsStale(run, TABLES);
    await withoutIndexes(run, TABLES, async () => {
      const many = { merchantId: id, rows, until: NOW - 3_600_000, span: SPAN };
      await makeTransactions(run, many);
      await makeRefunds(run, many);
      await run(
        `insert into payout_lines (merchant_id, kind, subject_id, transaction_id, currency, amount, at)
         select merchant_id, 'payment', id, id, case when row_number() over () % 5 = 0 then 'NZD' else 'AUD' end, amount, updated_at
         from transactions`,
      );
    });
  } finally {
    await client.end();
  }
  return { database, merchantId: id as Merchant["id"] };
}

const inPlace = <Result>(place: Place, work: (ctx: Context, merchant: Merchant) => Promise<Result>) =>
  inContext(
    place.database,
    async (ctx) => {
      const merchant = await findMerchant(ctx.db, place.merchantId);
      assert.ok(merchant !== undefined);
      return work(ctx, merchant);
    },
    { now: () => NOW },
  );

const keepAll = (place: Place) =>
  inPlace(place, async (ctx) => {
    await addUpTotals(ctx, 0);
    while ((await addUpTotals(ctx, 0)) === "more");
  });

describe("the balance on the dashboard is exact, and reading it costs the same however many lines are unpaid", () => {
  let small: Place;
  let large: Place;
  before(async () => {
    small = await makePlace(10);
    large = await makePlace(sized(75_000, 300_000));
  });
  after(async () => {
    await small.database.drop();
    await large.database.drop();
  });

  const fromLines = ({ database, merchantId }: Place) =>
    database.rows(
      `select currency, count(*)::int as lines, sum(amount)::float8 as amount from payout_lines
       where merchant_id = $1 and payout_id is null group by currency order by currency`,
      [merchantId],
    );
  const assertExact = async (place: Place, when: string) => {
    const held = await inPlace(place, (ctx) => readHeld(ctx.db, place.merchantId));
    assert.deepEqual(held, await fromLines(place), when);
  };
  const heldPages = (place: Place) => pagesTouched(place.database, (tx) => readHeld(tx, place.merchantId));

  test("control: before the lines are added up, the cost grows", async () => {
    await assertExact(large, "before the first chore");
    const [few, many] = [await heldPages(small), await heldPages(large)];
    assert.throws(() => assertFlat(few, many, "the balance"));
  });

  test("a step adds a bounded number of lines", async () => {
    const lines = await large.database.rows<{ lines: number }>(
      "select count(*)::int as lines from payout_lines where currency = 'AUD'",
    );
    assert.ok((lines[0]?.lines ?? 0) > 50_000);
    const isMore = await inPlace(large, (ctx) =>
      ctx.db.transaction((tx) => addHeld(tx, large.merchantId, NOW)),
    );
    assert.equal(isMore, true);
    const [added] = await large.database.rows("select lines::int from payout_held where currency = 'AUD'");
    assert.equal(added?.["lines"], 50_000);
    await assertExact(large, "after one step");
  });

  for (const statistics of ["stale", "fresh"])
    test(`after the chore the balance and the overview cost the same, with ${statistics} statistics`, async () => {
      for (const place of [small, large]) {
        await keepAll(place);
        await assertExact(place, "after the chore");
        if (statistics === "fresh") await place.database.rows("analyze");
      }
      assertFlat(await heldPages(small), await heldPages(large), "the balance");
      const overviewPages = (place: Place) =>
        inPlace(place, (ctx, merchant) =>
          pagesTouched(place.database, (tx) =>
            readOverview({ now: ctx.now, reads: { ...ctx.reads, rows: tx.rows } }, merchant, "7d"),
          ),
        );
      // It also reads totals of days, those of the hours of two days, and counts pending payments, up to a number.
      const [read] = await large.database.rows<{ totals: number; pending: number }>(
        `select ((select count(*) from payment_days) + (select count(*) from payment_hours where hour > $1))::int as totals,
           (select count(*)::int from transactions where status = 'pending') as pending`,
        [new Date(NOW - 2 * DAY)],
      );
      const [few, many] = [await overviewPages(small), await overviewPages(large)];
      const most = 2 * few + 40 + (read?.totals ?? 0) / TOTALS_IN_A_PAGE + (read?.pending ?? 0);
      assert.ok(many <= most, `${few} pages, ${many} in the large table`);
      // Control: without totals of days it reads those of all hours.
      const ofMerchant = [large.merchantId];
      const [kept] = await large.database.rows<{ days: Date }>(
        "select days_through as days from payment_hours_kept where merchant_id = $1",
        ofMerchant,
      );
      await large.database.rows(
        "update payment_hours_kept set days_through = null where merchant_id = $1",
        ofMerchant,
      );
      const ofHours = await overviewPages(large);
      await large.database.rows("update payment_hours_kept set days_through = $2 where merchant_id = $1", [
        large.merchantId,
        kept?.days,
      ]);
      assert.ok(ofHours > most, `${ofHours} pages with all hours, ${many} without`);
    });

  test("a payout takes its lines off in every step, and lines that come meanwhile count", async () => {
    const cutOff = instant(NOW - 9.5 * DAY);
    const line = (id: string, at: number) =>
      large.database.rows(
        `insert into payout_lines (merchant_id, kind, subject_id, transaction_id, currency, amount, at)
         values ($1, 'refund', $2, $2, 'AUD', -7, to_timestamp($3::float8 / 1000))`,
        [large.merchantId, id, at],
      );
    for (let step = 0; ; step += 1) {
      const built = await inPlace(large, (ctx, merchant) => buildPayout(ctx, merchant, "AUD", cutOff));
      if (step === 2) await line("rfd_now", NOW);
      await assertExact(large, `after step ${step}`);
      if (built === "nothing") assert.fail("there is something to pay");
      if (built !== "more") break;
    }
    await keepAll(large);
    await assertExact(large, "after the payout");
  });

  test("a line that comes after its time was added up counts from the payout that pays it", async () => {
    const place = await makePlace(40);
    try {
      await keepAll(place);
      await place.database.rows(
        `insert into payout_lines (merchant_id, kind, subject_id, transaction_id, currency, amount, at)
         values ($1, 'payment', 'txn_late', 'txn_late', 'AUD', 7, to_timestamp($2::float8 / 1000))`,
        [place.merchantId, NOW - 5 * DAY],
      );
      const cutOff = instant(NOW + DAY);
      for (;;) {
        const built = await inPlace(place, (ctx, merchant) => buildPayout(ctx, merchant, "AUD", cutOff));
        if (built !== "more") break;
      }
      await assertExact(place, "after the payout");
    } finally {
      await place.database.drop();
    }
  });
});
