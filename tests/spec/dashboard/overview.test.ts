import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import pg from "pg";
import { addUpTotals } from "../../../src/dashboard/overview/hours/add-up-totals.ts";
import { sumBuckets } from "../../../src/dashboard/overview/queries.ts";
import { readOverview } from "../../../src/dashboard/overview/read-overview.ts";
import { TRANSACTIONS } from "../../../src/dashboard/payments/lists/queries.ts";
import { readList } from "../../../src/dashboard/shell/lists/read-list.ts";
import { findMerchant, type Merchant } from "../../../src/features/merchants/index.ts";
import { idFloor } from "../../../src/kernel/ids.ts";
import { type Instant, instant } from "../../../src/kernel/time.ts";
import type { Context } from "../../../src/platform/context.ts";
import { CITUS_URL } from "../../support/citus.ts";
import { cloneDatabase, type TestDatabase } from "../../support/database.ts";
import { makeRefunds, makeTransactions } from "../../support/many-payments.ts";
import { inContext, makeMerchant } from "../../support/operator.ts";
import { nodesOf, PLAN_MODES, planner } from "../../support/plans.ts";

/** The plans of a coordinator name no index. */
const CITUS_PLANS = CITUS_URL !== undefined && "plans of one server";
const DAY = 86_400_000;
/** Some days after Sydney's clocks moved forward by an hour. */
const NOW = instant(Date.parse("2026-10-08T03:20:00Z"));

let database: TestDatabase;
let client: pg.Client;
let merchantId: Merchant["id"];

before(async () => {
  database = await cloneDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  merchantId = (await makeMerchant(database, "sandbox", "AU", () => NOW)).id as Merchant["id"];
  const { id: otherId } = await makeMerchant(database, "sandbox", "NZ", () => NOW);
  // Another merchant has as many rows with the same ids; none of them may appear.
  for (const id of [merchantId, otherId]) {
    const sample = { merchantId: id, rows: 3_000, until: NOW - 1_000, span: 8 * DAY };
    await makeTransactions((text, values) => client.query(text, [...(values ?? [])]), sample);
    await makeRefunds((text, values) => client.query(text, [...(values ?? [])]), sample);
  }
});
after(async () => {
  try {
    await client.end();
  } finally {
    await database.drop();
  }
});

const atTime = <Result>(now: Instant, work: (ctx: Context, merchant: Merchant) => Promise<Result>) =>
  inContext(
    database,
    async (ctx) => {
      const merchant = await findMerchant(ctx.db, merchantId);
      assert.ok(merchant !== undefined);
      return work(ctx, merchant);
    },
    { now: () => now },
  );

const overview = (period: "24h" | "7d" = "7d") =>
  atTime(NOW, (ctx, merchant) => readOverview(ctx, merchant, period));

async function addUpAllTotals(now: Instant = NOW): Promise<void> {
  await atTime(now, async (ctx) => {
    // The first call reads the clock, the next ones work.
    await addUpTotals(ctx, 0);
    while ((await addUpTotals(ctx, 0)) === "more");
  });
}

/** The same totals, computed from the records. */
async function fromRecords() {
  const start = "timestamptz '2026-10-02 00:00 Australia/Sydney'";
  const { rows } = await client.query(
    `select count(*) filter (where status = 'approved')::int as approved,
       count(*) filter (where status = 'declined')::int as declined,
       count(*) filter (where status = 'pending')::int as pending,
       coalesce(sum(captured) filter (where status = 'approved'), 0)::float8 as captured
     from transactions where merchant_id = $1 and created_at >= ${start}`,
    [merchantId],
  );
  const refunds = await client.query(
    `select count(*)::int as refunds, sum(amount)::float8 as refunded from refunds
     where merchant_id = $1 and status <> 'declined' and created_at >= ${start}`,
    [merchantId],
  );
  return { ...rows[0], ...refunds.rows[0] };
}

const countKeptHours = async () =>
  (await client.query("select count(*)::int as n from payment_hours where merchant_id = $1", [merchantId]))
    .rows[0].n;

describe("the overview matches the records", () => {
  test("before any hourly total is stored", async () => {
    assert.equal(await countKeptHours(), 0);
    assert.deepEqual((await overview()).totals, await fromRecords());
  });

  test("and after, when it reads hourly totals instead of records", async () => {
    await addUpAllTotals();
    assert.ok((await countKeptHours()) > 500);
    const shown = await overview();
    assert.deepEqual(shown.totals, await fromRecords());
    assert.ok(shown.totals.declined > 0 && shown.totals.pending > 0 && shown.totals.refunds > 0);
    await client.query("begin");
    await client.query("update payment_hours set count = count + 1 where status = 'approved'");
    await client.query("commit");
    assert.notDeepEqual(
      (await overview()).totals,
      await fromRecords(),
      "control: the overview does not read the records",
    );
    await client.query("update payment_hours set count = count - 1 where status = 'approved'");
  });

  test("days follow the merchant's time zone, and hours are hours", async () => {
    const days = await overview();
    assert.equal(days.buckets.length, 7);
    assert.equal(new Date(days.buckets[0]?.start ?? 0).toISOString(), "2026-10-01T14:00:00.000Z");
    // After the change to daylight saving time the day begins an hour earlier.
    assert.equal(new Date(days.buckets[6]?.start ?? 0).toISOString(), "2026-10-07T13:00:00.000Z");
    const sum = days.buckets.reduce((total, one) => total + one.captured, 0);
    assert.equal(sum, days.totals.captured);
    const hours = await overview("24h");
    assert.equal(hours.buckets.length, 24);
    assert.ok(hours.buckets.every(({ approved }) => approved > 0));
  });

  test("a late change updates the totals immediately and permanently", async () => {
    const before = await overview();
    await client.query(
      `update transactions set status = 'approved', phase = 'settled', code = 'A02000', capture_status = 'captured',
         captured = amount, updated_at = $2 where merchant_id = $1 and status = 'pending'`,
      [merchantId, new Date(NOW + 2 * DAY).toISOString()],
    );
    const changed = await overview();
    assert.deepEqual(changed.totals, await fromRecords());
    assert.equal(changed.totals.approved, before.totals.approved + before.totals.pending);
    await addUpAllTotals();
    const { rows } = await client.query("select 1 from payment_hour_changes where merchant_id = $1", [
      merchantId,
    ]);
    assert.equal(rows.length, 0);
    assert.deepEqual((await overview()).totals, await fromRecords());
  });

  test("a late change before its hour is stored is not counted twice", async () => {
    const { rowCount } = await client.query(
      `update transactions set captured = captured - 1, updated_at = $3
       where merchant_id = $1 and status = 'approved' and created_at >= $2`,
      [merchantId, new Date(NOW - 3_600_000).toISOString(), new Date(NOW + 16 * 60_000).toISOString()],
    );
    assert.ok((rowCount ?? 0) > 5);
    assert.deepEqual((await overview()).totals, await fromRecords());
    await addUpAllTotals(instant(NOW + 3 * 3_600_000));
    assert.deepEqual((await overview()).totals, await fromRecords());
  });
});

describe("the overview reads whole days instead of their hours", () => {
  const HOUR = DAY / 24;
  const kept = async () =>
    (
      await client.query<{ through: Date | null; zone: string | null }>(
        "select days_through as through, days_zone as zone from payment_hours_kept where merchant_id = $1",
        [merchantId],
      )
    ).rows[0];
  const forgetDays = () =>
    client.query("update payment_hours_kept set days_zone = null where merchant_id = $1", [merchantId]);

  /** At every hour of two days, the second of which follows the change of the clocks. */
  async function overviews(): Promise<readonly unknown[]> {
    let now: Instant = NOW;
    const shown: unknown[] = [];
    const read = async (ctx: Context) => {
      const merchant = await findMerchant(ctx.db, merchantId);
      assert.ok(merchant !== undefined);
      for (let hour = -96; hour < -48; hour += 1) {
        now = instant(NOW + hour * HOUR);
        for (const period of ["7d", "30d"] as const) shown.push(await readOverview(ctx, merchant, period));
      }
    };
    await inContext(database, read, { now: () => now });
    return [...shown, await overview("7d"), await overview("24h")];
  }

  async function assertSame(zone: string): Promise<void> {
    const before = await kept();
    assert.equal(before?.zone, zone);
    const withDays = await overviews();
    await forgetDays();
    const withHours = await overviews();
    assert.deepEqual(withDays, withHours);
    await client.query("update payment_hours_kept set days_zone = $2 where merchant_id = $1", [
      merchantId,
      zone,
    ]);
  }

  test("and shows the same as from hours, previous period and change of the clocks included", async () => {
    await assertSame("Australia/Sydney");
    assert.equal((await kept())?.through?.toISOString(), "2026-10-07T13:00:00.000Z");
    const before = await overview();
    await client.query("update payment_days set count = count + 1 where status = 'approved'");
    assert.ok((await overview()).totals.approved > before.totals.approved, "control: it reads the days");
    await client.query("update payment_days set count = count - 1 where status = 'approved'");
  });

  test("a late change of a whole day changes the day and its hour", async () => {
    await client.query(
      `update transactions set captured = captured - 7, updated_at = $2
       where merchant_id = $1 and status = 'approved' and created_at < $3`,
      [merchantId, new Date(NOW).toISOString(), new Date(NOW - 3 * DAY).toISOString()],
    );
    assert.deepEqual((await overview()).totals, await fromRecords());
    await addUpAllTotals();
    assert.deepEqual((await overview()).totals, await fromRecords());
    await assertSame("Australia/Sydney");
  });

  test("a late change that a node of the previous version adds to its hour alone changes the day, too", async () => {
    await client.query(
      `update transactions set captured = captured - 3, updated_at = $2
       where merchant_id = $1 and status = 'approved' and created_at < $3`,
      [merchantId, new Date(NOW).toISOString(), new Date(NOW - 3 * DAY).toISOString()],
    );
    // As version 0.1.0 writes it.
    await client.query(
      `with gone as (delete from payment_hour_changes where merchant_id = $1 returning *)
       insert into payment_hours (merchant_id, hour, kind, currency, source, status, code, count, amount)
       select merchant_id, hour, kind, currency, source, status, code, sum(count), sum(amount) from gone
       group by merchant_id, hour, kind, currency, source, status, code
       on conflict (merchant_id, hour, kind, currency, source, status, code) do update
         set count = payment_hours.count + excluded.count, amount = payment_hours.amount + excluded.amount`,
      [merchantId],
    );
    assert.deepEqual((await overview()).totals, await fromRecords());
    await assertSame("Australia/Sydney");
  });

  test("days of an earlier release, or of another country, are made again with the next hour", async () => {
    await client.query("update payment_hours_kept set days_through = null, days_zone = null");
    await client.query("delete from payment_days");
    const { totals } = await overview();
    assert.deepEqual(totals, await fromRecords(), "without days");
    await addUpAllTotals(instant(NOW + 5 * HOUR));
    await assertSame("Australia/Sydney");
    const move = (country: string) =>
      client.query("update merchants set country = $2 where id = $1", [merchantId, country]);
    await move("NZ");
    const { buckets } = await overview();
    await addUpAllTotals(instant(NOW + 6 * HOUR));
    await assertSame("Pacific/Auckland");
    assert.deepEqual((await overview()).buckets, buckets);
    await move("AU");
    await addUpAllTotals(instant(NOW + 7 * HOUR));
    await assertSame("Australia/Sydney");
  });
});

describe("the cost of the overview does not depend on the length of the history", () => {
  const boundary = (moment: number) => ({
    from: instant(NOW - DAY),
    hours: [instant(NOW - DAY), instant(NOW - DAY / 2)] as const,
    days: [instant(NOW - DAY / 2), instant(NOW - DAY / 4)] as const,
    through: instant(moment),
    transactions: idFloor("transaction", instant(moment)),
    refunds: idFloor("refund", instant(moment)),
  });

  for (const mode of PLAN_MODES) {
    test(`reads no record table sequentially (${mode})`, { skip: CITUS_PLANS }, async () => {
      await client.query("analyze");
      const { tx, plans } = planner(client, mode);
      await sumBuckets(tx, merchantId, [NOW], boundary(NOW - 3_600_000));
      const nodes = plans.flatMap(nodesOf);
      assert.ok(nodes.some((node) => node["Index Name"] === "transactions_pkey"));
      const walked = nodes.filter((node) => /Seq Scan/.test(node["Node Type"]));
      // Late changes are few: PostgreSQL scans a table that fits on one page.
      assert.deepEqual(
        walked.filter((node) => node["Relation Name"] !== "payment_hour_changes"),
        [],
      );
    });
  }
});

describe("lists page and filter", () => {
  const list = (query: Partial<Parameters<typeof readList>[3]>) =>
    atTime(NOW, (ctx, merchant) => readList(ctx, merchant, TRANSACTIONS, { filters: {}, ...query }));

  test("paging backwards returns the same pages as paging forwards", async () => {
    const day = { from: "2026-10-05", to: "2026-10-05" };
    const pages: (readonly string[])[] = [];
    let older: string | undefined;
    do {
      const page = await list({ ...day, before: older });
      pages.push(page.rows.map(({ id }) => id));
      older = page.older;
    } while (older !== undefined);
    const { rows } = await client.query(
      `select id from transactions where merchant_id = $1 and created_at >= '2026-10-05 00:00 Australia/Sydney'
         and created_at < '2026-10-06 00:00 Australia/Sydney' order by id desc`,
      [merchantId],
    );
    assert.deepEqual(
      pages.flat(),
      rows.map(({ id }) => id),
    );
    assert.ok(pages.length > 10);
    for (let at = pages.length - 1; at > 0; at -= 1) {
      const back = await list({ ...day, after: pages[at]?.[0] });
      assert.deepEqual(
        back.rows.map(({ id }) => id),
        pages[at - 1],
      );
    }
  });

  test("filters with and without an index, alone and combined", async () => {
    const countListed = async (filters: Readonly<Record<string, string | number>>) => {
      let [found, older] = [0, undefined as string | undefined];
      do {
        const page = await list({ filters, before: older });
        found += page.rows.length;
        older = page.older;
      } while (older !== undefined);
      return found;
    };
    const countRows = async (where: string) =>
      (
        await client.query(
          `select count(*)::int as n from transactions where merchant_id = $1 and ${where}`,
          [merchantId],
        )
      ).rows[0].n;
    assert.equal(await countListed({ status: "declined" }), await countRows("status = 'declined'"));
    assert.equal(
      await countListed({ status: "declined", code: "D04454" }),
      await countRows("code = 'D04454'"),
    );
    assert.equal(
      await countListed({ source: "apple_pay", status: "declined" }),
      await countRows("source = 'apple_pay' and status = 'declined'"),
    );
    assert.equal(await countListed({ reference: "order-7" }), 1);
    assert.equal(await countListed({ last4: "9999" }), 0);
    assert.equal(await countListed({ amount: 1000 + ((7 * 7919) % 20000) }), 1);
  });
});
