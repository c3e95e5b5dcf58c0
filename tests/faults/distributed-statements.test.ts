import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { operatorMessage } from "../../src/app/operator-message.ts";
import { reconcile } from "../../src/features/payouts/index.ts";
import { migrateDistributed } from "../../src/platform/db/migrate.ts";
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

describe("issue 20: a gateway with the statements of a distributed database", () => {
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

describe("issue 20: `tidegate migrate --citus`", () => {
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
