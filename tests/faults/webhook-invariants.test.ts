import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import pg from "pg";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { assertReceived, DELIVERY_RULES } from "../support/delivery-invariants.ts";
import { startTestGateway } from "../support/gateway.ts";
import { findUnsettled, findViolations, type Reader } from "../support/invariants.ts";
import { type Received, withStatus } from "../support/receiver.ts";
import { hookedShop } from "../support/webhooks.ts";

/** The invariant that must be named, and how to break it. `good` was delivered, `bad` waits for its third attempt. */
const PLANTED: readonly (readonly [id: string, how: string, plant: (good: string, bad: string) => string])[] =
  [
    ["I10", "a delivery is lost", (good) => `delete from deliveries where event_id = '${good}'`],
    ["I10", "an event is lost", (good) => `delete from events where id = '${good}'`],
    [
      "I10",
      "a delivery is done without an acknowledgement",
      (_good, bad) => `update deliveries set status = 'delivered' where event_id = '${bad}'`,
    ],
    [
      "I10",
      "a delivery is given up too early",
      (_good, bad) => `update deliveries set status = 'failed' where event_id = '${bad}'`,
    ],
    [
      "I10",
      "an attempt is not in the log",
      (_good, bad) => `delete from delivery_attempts where event_id = '${bad}'`,
    ],
    [
      "I11",
      "the body of an event is another's",
      (good, bad) =>
        `update events set body = (select body from events where id = '${bad}') where id = '${good}'`,
    ],
  ];

describe("PROOF: the checker of deliveries", () => {
  let database: TestDatabase;
  let client: pg.Client;
  let events: readonly [good: string, bad: string];
  let received: readonly Received[];
  let signingKey: string;
  const reader: Reader = { rows: async (text, values = []) => (await client.query(text, [...values])).rows };

  before(async () => {
    database = await cloneDatabase();
    const gateway = await startTestGateway({ database });
    try {
      const [fine, failing] = [await hookedShop(gateway), await hookedShop(gateway, withStatus(500))];
      const good = await fine.eventOf(await fine.create());
      await fine.untilAttempt(good, 1, "delivered");
      const bad = await failing.eventOf(await failing.create());
      await failing.untilAttempt(bad, 1, "pending");
      await failing.advance(10);
      await failing.untilAttempt(bad, 2, "pending");
      events = [good, bad];
      signingKey = (await failing.get("/webhooks/signingkey")).body.signingKey;
      received = failing.receiver.received;
    } finally {
      await gateway.stop();
    }
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
  });
  after(async () => {
    await client.end();
    await database.drop();
  });

  test("when nothing is wrong, it finds nothing", async () => {
    assert.deepEqual(await findViolations(reader), []);
    assert.deepEqual(await findUnsettled(reader), []);
    assertReceived(received, signingKey);
  });

  async function planted(statement: string, look: () => Promise<void>): Promise<void> {
    await client.query("begin");
    try {
      await client.query("set local session_replication_role = replica");
      assert.notEqual((await client.query(statement)).rowCount, 0, "nothing was planted");
      await look();
    } finally {
      await client.query("rollback");
    }
  }

  const fired = new Set<string>();
  for (const [id, how, plant] of PLANTED) {
    test(`when ${how}, it names ${id}`, () =>
      planted(plant(...events), async () => {
        const violations = await findViolations(reader);
        for (const violation of violations) fired.add(violation.about);
        assert.ok(violations.some((violation) => violation.id === id));
      }));
  }

  test("every rule was broken by something planted", () => {
    for (const { about } of DELIVERY_RULES) assert.ok(fired.has(about), about);
  });

  test("when a delivery waits past its time, it names I21", () =>
    planted(`update deliveries set due_at = now() - interval '1 minute'`, async () => {
      assert.ok((await findUnsettled(reader)).some(({ about }) => about === "a delivery that is overdue"));
    }));

  test("when a delivery is signed with another key, or a repeat has another body, it says so", () => {
    assert.throws(() => assertReceived(received, "another key"));
    const [first, second] = received;
    assert.ok(first && second);
    assert.throws(() => assertReceived([first, { ...second, body: `${second.body} ` }], signingKey));
  });
});
