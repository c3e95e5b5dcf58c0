import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { readBacklog } from "../../src/features/deliveries/index.ts";
import { createCandidateFinder } from "../../src/features/deliveries/sending/find-candidates.ts";
import {
  closeDeliveries,
  type DueSubscription,
  listNextWaiting,
  listRecentlyDue,
  takeDue,
} from "../../src/features/deliveries/sending/queries.ts";
import { instant } from "../../src/kernel/time.ts";
import type { Tx } from "../../src/platform/db/database.ts";
import { assertFlat, pagesTouched } from "../support/costs.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";
import { inContext } from "../support/operator.ts";
import { sized } from "../support/proof.ts";
import { shopWithWebhook } from "../support/webhooks.ts";

const MANY = sized(30_000, 300_000);
const NODE = { name: "node", pid: null, since: null, isOver: () => false };
const now = () => instant(Date.now());
const finder = () => createCandidateFinder(now);

/** Merchants whose only delivery waits for a retry in a day. */
async function addWaiting(database: TestDatabase, merchants: number): Promise<void> {
  await database.rows(
    `insert into webhooks (merchant_id, id, event, url, status, created_at, updated_at)
     select 'mer_waiting_' || lpad(n::text, 6, '0'), 'wh_' || n, 'payment_requests', 'https://shop.example', 'active',
       now(), now() from generate_series(1, $1::int) n`,
    [merchants],
  );
  await database.rows(
    `insert into deliveries (merchant_id, event_id, webhook_id, due_at)
     select 'mer_waiting_' || lpad(n::text, 6, '0'), 'evt_' || n, 'wh_' || n, now() + interval '1 day'
     from generate_series(1, $1::int) n`,
    [merchants],
  );
}

/** Deliveries of one merchant that are all due, over the last hour. */
async function addBacklog(database: TestDatabase, merchantId: string, count: number): Promise<void> {
  await database.rows(
    `insert into webhooks (merchant_id, id, event, url, status, created_at, updated_at)
     values ($1, 'wh_' || $1, 'payment_requests', 'https://shop.example', 'active', now(), now())`,
    [merchantId],
  );
  await database.rows(
    `insert into deliveries (merchant_id, event_id, webhook_id, due_at)
     select $1::text, 'evt_' || n, 'wh_' || $1, now() - interval '1 hour' * n / $2::int from generate_series(1, $2::int) n`,
    [merchantId, count],
  );
}

const addDue = (database: TestDatabase, merchantId: string, overdue = "0 seconds") =>
  database.rows(
    `insert into deliveries (merchant_id, event_id, webhook_id, due_at) values ($1, 'evt', 'wh', now() - $2::interval)`,
    [merchantId, overdue],
  );

describe("finding due deliveries costs the same with few and with many that wait", () => {
  let small: TestDatabase;
  let large: TestDatabase;
  before(async () => {
    [small, large] = [await cloneDatabase(), await cloneDatabase()];
    await addWaiting(small, 300);
    await addBacklog(small, "mer_big", 10);
    await addWaiting(large, 20_000);
    await addBacklog(large, "mer_big", MANY);
    for (const one of [small, large]) await one.rows("vacuum analyze");
  });
  after(() => Promise.all([small.drop(), large.drop()]));

  const take = async (tx: Tx, held: readonly string[], candidates: readonly string[]) =>
    takeDue(tx, NODE, { held, candidates, leaseSeconds: 5, newMerchantsAtMost: 64 });
  const cases: Readonly<Record<string, (tx: Tx) => Promise<unknown>>> = {
    "the next merchants": (tx) => listNextWaiting(tx, "mer_waiting_000020", 256),
    "what became due last": (tx) => listRecentlyDue(tx, 2, 1_000),
    "leasing the merchants that were found": async (tx) =>
      take(tx, ["mer_big"], await listNextWaiting(tx, "", 256)),
    "a round": async (tx) => take(tx, ["mer_big"], await finder()(tx)),
    "the oldest that is due, for the metrics": (tx) => readBacklog(tx),
  };
  for (const [what, work] of Object.entries(cases)) {
    const isBacklogCount = what.endsWith("metrics");
    test(what, async () => {
      const [few, many] = [await pagesTouched(small, work), await pagesTouched(large, work)];
      if (isBacklogCount) assert.ok(many < 20_000, `${many} pages, for at most 10,000 counted rows`);
      else assertFlat(few, many, what);
    });
  }

  test("the backlog of an endpoint that fails counts apart, and hides no other merchant's late delivery", async () => {
    const backlogOf = (database: TestDatabase) => inContext(database, ({ db }) => readBacklog(db));
    for (const [database, count] of [
      [small, 10],
      [large, 10_000],
    ] as const) {
      const before = await backlogOf(database);
      assert.deepEqual([before.due, before.failing], [count, 0]);
      assert.ok(before.oldestSeconds > 3_500);
      await database.rows("update webhooks set failing_since = now() where merchant_id = 'mer_big'");
      assert.deepEqual(await backlogOf(database), { due: 0, oldestSeconds: 0, failing: count });
      await addDue(database, "mer_late", "1 minute");
      const { due, oldestSeconds, failing } = await backlogOf(database);
      assert.deepEqual([due, failing], [1, count]);
      assert.ok(oldestSeconds >= 60 && oldestSeconds < 600, `${oldestSeconds} s`);
    }
    const pages = await pagesTouched(large, (tx) => readBacklog(tx));
    assert.ok(pages < 40_000, `${pages} pages, for at most 20,000 rows`);
  });

  test("a merchant whose delivery has just become due is found at once, beside all of them", async () => {
    await inContext(large, async ({ db }) => {
      const find = finder();
      assert.ok(!(await find(db)).includes("mer_waiting_zzz"));
      await addDue(large, "mer_waiting_zzz");
      assert.ok((await find(db)).includes("mer_waiting_zzz"));
    });
  });

  test("one that was overdue before is found in turn, and all are visited", async () => {
    await addDue(large, "mer_waiting_yyy", "3 hours");
    await inContext(large, async ({ db }) => {
      let clock = Date.now();
      const find = createCandidateFinder(() => instant(clock));
      const seen = new Set<string>();
      for (let round = 0; round < 80; round += 1) {
        for (const merchantId of await find(db)) seen.add(merchantId);
        clock += 200;
      }
      assert.ok(seen.has("mer_waiting_yyy"));
      assert.ok(seen.size > 20_000, `${seen.size} merchants`);
    });
  });
});

describe("closing the deliveries of a subscription", () => {
  const gone = { merchantId: "mer_gone", webhookId: "wh_mer_gone" } as const;

  test("costs the same for each batch, however many wait", async () => {
    const costs: number[] = [];
    for (const count of [20, MANY]) {
      const database = await cloneDatabase();
      await addBacklog(database, gone.merchantId, count);
      await database.rows("delete from webhooks");
      await database.rows("update deliveries set attempts = 1, attempted_at = now(), latency_ms = 1");
      const close = (tx: Tx) => closeDeliveries(tx, gone as DueSubscription, "subscription_deleted", 20);
      costs.push(await pagesTouched(database, close));
      await database.rows("vacuum analyze");
      costs.push(await pagesTouched(database, close));
      await database.drop();
    }
    const [few = 0, fewAnalysed = 0, many = 0, manyAnalysed = 0] = costs;
    assertFlat(few, many, "with stale statistics");
    assertFlat(fewAnalysed, manyAnalysed, "with fresh statistics");
  });
});

describe("I26: a merchant's backlog delays no other merchant's deliveries", () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await startTestGateway();
  });
  after(() => gateway.stop());

  test(`beside 20,000 waiting merchants and ${MANY} due deliveries of another node's merchant`, async () => {
    const shop = await shopWithWebhook(gateway);
    let sent = 0;
    const medianOf5 = async () => {
      const times: number[] = [];
      while (times.length < 5) {
        const startedAt = Date.now();
        await shop.create();
        sent += 1;
        const received = await shop.receiver.until(sent);
        times.push((received[sent - 1]?.at ?? Number.POSITIVE_INFINITY) - startedAt);
      }
      return times.toSorted((one, other) => one - other)[2] ?? Number.POSITIVE_INFINITY;
    };
    const alone = await medianOf5();
    await addWaiting(gateway.database, 20_000);
    await gateway.database.rows(
      `insert into delivery_leases (merchant_id, holder, until) values ('mer_big', 'another', now() + interval '1 hour')`,
    );
    await addBacklog(gateway.database, "mer_big", MANY);
    await gateway.database.rows("analyze deliveries");
    const beside = await medianOf5();
    assert.ok(
      beside < Math.max(1_000, 3 * alone),
      `deliveries began after ${beside} ms, alone after ${alone} ms`,
    );
    // As if it had become due while no node ran.
    await eventually("all are on record", async () => (await pending(shop.id)) === 0);
    await gateway.database.rows(
      `update deliveries set status = 'pending', due_at = now() - interval '1 hour', round = round + 1
       where merchant_id = $1`,
      [shop.id],
    );
    await eventually("overdue ones are delivered, too", async () => (await pending(shop.id)) === 0, 60_000);
  });

  const pending = async (merchantId: string) =>
    (
      await gateway.database.rows("select from deliveries where merchant_id = $1 and status = 'pending'", [
        merchantId,
      ])
    ).length;
});
