import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import pg from "pg";
import { answeredSubscriptions } from "../support/answered-subscriptions.ts";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";
import { findViolations } from "../support/invariants.ts";
import { shopWithWebhook } from "../support/webhooks.ts";

describe("I10 while subscriptions change", () => {
  let gateway: TestGateway;
  let other: pg.Client;
  before(async () => {
    gateway = await startTestGateway();
    other = new pg.Client({ connectionString: gateway.database.url });
    await other.connect();
  });
  after(async () => {
    await other.end();
    await gateway.stop();
  });

  test("an event that began before the subscription was answered may lack a delivery, a later one may not", async () => {
    const subscriptions = answeredSubscriptions(gateway.database);
    await other.query("begin");
    await other.query("select pg_current_xact_id()");
    const shop = await shopWithWebhook(gateway);
    await subscriptions.note();
    const early = await shop.eventOf(await shop.create());
    const late = await shop.eventOf(await shop.create());
    for (const event of [early, late]) await shop.untilAttempt(event, 1, "delivered");

    // As if the open transaction had written the first event.
    await other.query("update events set created_at = created_at where id = $1", [early]);
    await other.query("delete from deliveries where event_id = $1", [early]);
    await other.query("delete from delivery_attempts where event_id = $1", [early]);
    await other.query("commit");
    const lacksOne = await findViolations(gateway.database);
    assert.deepEqual(
      lacksOne.map(({ id, subject }) => [id, subject]),
      [["I10", early]],
    );
    assert.deepEqual(await subscriptions.findViolations(), []);
    assert.deepEqual(await answeredSubscriptions(gateway.database).findViolations(), lacksOne);

    await gateway.database.rows("delete from deliveries where event_id = $1", [late]);
    await gateway.database.rows("delete from delivery_attempts where event_id = $1", [late]);
    assert.deepEqual(
      (await subscriptions.findViolations()).map(({ id, subject }) => [id, subject]),
      [["I10", late]],
    );
  });
});
