import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { operatorMessage } from "../../src/app/operator-message.ts";
import { reconcile } from "../../src/features/payouts/index.ts";
import { instant, later } from "../../src/kernel/time.ts";
import { migrateDistributed } from "../../src/platform/db/migrate.ts";
import { createClaimer } from "../../src/platform/jobs/claim.ts";
import { readJobHealth } from "../../src/platform/jobs/health/queries.ts";
import { createRequest, payOnce, shopOf } from "../support/checkout.ts";
import { CITUS_URL } from "../support/citus.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";
import { assertInvariants } from "../support/invariants.ts";
import { inContext } from "../support/operator.ts";
import { DAY_SECONDS, payIdShop } from "../support/payid.ts";
import { withStatus } from "../support/receiver.ts";
import { cloneUndistributed } from "../support/undistributed.ts";
import { shopWithWebhook } from "../support/webhooks.ts";

/** A cluster, or one server that is taken for one: statements and triggers are those of distributed databases. */
async function cloneDistributed(): Promise<TestDatabase> {
  if (CITUS_URL !== undefined) return cloneDatabase();
  const database = await cloneUndistributed();
  await migrateDistributed(database.url);
  return database;
}

describe("a gateway with the statements of a distributed database", () => {
  let database: TestDatabase;
  let gateway: TestGateway;
  before(async () => {
    database = await cloneDistributed();
    gateway = await startTestGateway({ database });
  });
  after(async () => {
    await gateway.stop();
    await database.drop();
  });
  const openPayIds = async () =>
    (await database.rows<{ value: string }>("select value from open_payids")).map(({ value }) => value);

  test("takes payments of two merchants, delivers their events, and the records agree", async () => {
    for (const shop of [await shopWithWebhook(gateway, undefined, "*"), await shopWithWebhook(gateway)]) {
      const { transactionId } = await payOnce(shopOf(gateway, shop.key));
      assert.equal((await shop.get(`/transactions/${transactionId}`)).status, 200);
      await shop.receiver.until(2);
    }
    await assertInvariants(database);
    await inContext(database, async (ctx) => {
      const { faults, balances } = await reconcile(ctx);
      assert.deepEqual(faults, []);
      assert.deepEqual(
        balances.map(({ payments, balanced }) => [payments, balanced]),
        [
          [3000, true],
          [3000, true],
        ],
      );
    });
  });

  test("counts an approval against card testing", async () => {
    const { id, key } = await gateway.newMerchant();
    await payOnce(shopOf(gateway, key));
    await eventually("the approval is counted", async () => {
      const rows = await database.rows(
        "select from card_testing_counters where merchant_id = $1 and approved > 0",
        [id],
      );
      return rows.length > 0;
    });
  });

  test("a PayID is open once among all merchants, and free again when its request has ended", async () => {
    const [one, other] = [payIdShop(gateway), payIdShop(gateway, (await gateway.newMerchant()).key)];
    const { id, payId, value } = await one.request();
    assert.deepEqual(await openPayIds(), [value]);
    await assert.rejects(other.request({ value }), /V11135/);
    assert.equal((await one.pay(payId, 3000)).status, "accepted");
    assert.equal((await one.read(id)).paymentRequestStatus, "completed");
    assert.deepEqual(await openPayIds(), []);
    const again = await other.request({ value });
    assert.deepEqual(await openPayIds(), [value]);
    await other.cancel(again.id);
    assert.deepEqual(await openPayIds(), []);
  });

  test("of ten merchants that request one PayID at once, one gets it", async () => {
    const keys = await Promise.all(Array.from({ length: 10 }, async () => (await gateway.newMerchant()).key));
    const value = `race-${process.pid}`;
    const made = await Promise.allSettled(keys.map((key) => payIdShop(gateway, key).request({ value })));
    assert.equal(made.filter(({ status }) => status === "fulfilled").length, 1);
    assert.deepEqual(await openPayIds(), [value]);
  });

  test("timed work of several merchants runs", async () => {
    const shops = await Promise.all(
      Array.from({ length: 3 }, async () => shopOf(gateway, (await gateway.newMerchant()).key)),
    );
    const requests = await Promise.all(shops.map((shop) => createRequest(shop)));
    for (const { key } of shops)
      await gateway.post("/sandbox/clock/advance", { seconds: 40 * DAY_SECONDS }, { key });
    await eventually("all have expired without any read", async () => {
      const rows = await database.rows<{ status: string }>(
        "select status from payment_requests where id = any ($1)",
        [requests.map(({ id }) => id)],
      );
      return rows.length === 3 && rows.every(({ status }) => status === "expired");
    });
  });

  test("deliveries of a deleted subscription are closed", async () => {
    const shop = await shopWithWebhook(gateway, withStatus(500, { "Retry-After": "3600" }));
    const event = await shop.eventOf(await shop.create());
    await shop.untilAttempt(event, 1, "pending");
    await gateway.call(`/webhooks/${shop.webhookId}`, { method: "DELETE", key: shop.key });
    assert.equal((await shop.untilAttempt(event, 1, "failed")).error, "subscription_deleted");
  });
});

describe("timed work in a distributed database", () => {
  let database: TestDatabase;
  before(async () => {
    database = await cloneDistributed();
  });
  after(() => database.drop());

  test("every second claim visits the merchants in turn, page by page, with jobs or without", async () => {
    const now = instant(Date.now());
    await database.rows(
      `insert into merchants (id, name, mode, country, currency, capabilities, surcharging, created_at, updated_at)
       select 'mer_' || lpad(n::text, 4, '0'), 'shop', 'sandbox', 'AU', 'AUD', '{}', '{}', now(), now()
       from generate_series(1, 150) n`,
    );
    await database.rows(
      `insert into jobs (kind, merchant_id, subject_id, due_at)
       select 'do', 'mer_0001', 's-' || n, $1::timestamptz - interval '1 hour' from generate_series(1, 2000) n`,
      [new Date(now)],
    );
    await database.rows(
      `insert into jobs (kind, merchant_id, subject_id, due_at)
       select 'do', 'mer_' || lpad(n::text, 4, '0'), 's', $1 from generate_series(2, 150, 2) n`,
      [new Date(now)],
    );
    await inContext(database, async ({ db }) => {
      const claim = createClaimer(["do"], { total: () => 0, ofMerchant: () => 0 });
      const seen = new Set<string>();
      for (let turn = 0; turn < 16; turn += 1)
        for (const { merchantId } of (await claim(db, now, later(now, 60_000))).jobs) seen.add(merchantId);
      assert.equal(seen.size, 76);
      const { overdue } = await readJobHealth(db, now);
      assert.ok(overdue.count > 0 && overdue.count <= 2_000, `${overdue.count} overdue`);
      assert.equal(Math.round(overdue.oldestSeconds), 3_600);
    });
  });
});

describe("`tidegate migrate --citus`", () => {
  test("refuses a server without Citus, and changes nothing", { skip: CITUS_URL !== undefined }, async () => {
    const database = await cloneDatabase();
    try {
      const failure = await migrateDistributed(database.url).catch((error: unknown) => error);
      assert.match(String(operatorMessage(failure)), /no Citus: run `create extension citus`/);
      assert.deepEqual(await database.rows("select from distribution"), []);
    } finally {
      await database.drop();
    }
  });

  test("no gateway starts on a database that is distributed in part, and the line says what to run", async () => {
    const database = await cloneDatabase();
    try {
      await database.rows("delete from distribution");
      await database.rows("insert into distribution (restored_later) values ('{}')");
      const failure = await startTestGateway({ database }).catch((error: unknown) => error);
      assert.match(
        String(operatorMessage(failure)),
        /distributed in part: run `tidegate migrate --citus` again/,
      );
    } finally {
      await database.drop();
    }
  });
});
