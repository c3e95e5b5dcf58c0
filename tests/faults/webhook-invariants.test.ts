import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { assertReceived, DELIVERY_RULES } from "../support/delivery-invariants.ts";
import type { TestGateway } from "../support/gateway.ts";
import { findUnsettled, findViolations } from "../support/invariants.ts";
import {
  type PlantedViolation,
  testPlantedViolations,
  violationFixture,
} from "../support/planted-violations.ts";
import { type Received, withStatus } from "../support/receiver.ts";
import { shopWithWebhook } from "../support/webhooks.ts";

/** `good` is a delivered event, `bad` one that waits for its third attempt. */
type Made = {
  readonly good: string;
  readonly bad: string;
  readonly received: readonly Received[];
  readonly signingKey: string;
};

const PLANTED: readonly PlantedViolation<Made>[] = [
  ["I10", "a delivery is lost", (made) => `delete from deliveries where event_id = '${made.good}'`],
  ["I10", "an event is lost", (made) => `delete from events where id = '${made.good}'`],
  [
    "I10",
    "a delivery is marked as delivered without an acknowledgement",
    (made) => `update deliveries set status = 'delivered' where event_id = '${made.bad}'`,
  ],
  [
    "I10",
    "a delivery is given up too early",
    (made) => `update deliveries set status = 'failed' where event_id = '${made.bad}'`,
  ],
  [
    "I10",
    "an attempt is missing from the log",
    (made) => `delete from delivery_attempts where event_id = '${made.bad}'`,
  ],
  [
    "I11",
    "an event has another event's body",
    (made) =>
      `update events set body = (select body from events where id = '${made.bad}') where id = '${made.good}'`,
  ],
];

async function makeHistory(gateway: TestGateway): Promise<Made> {
  const [fine, failing] = [await shopWithWebhook(gateway), await shopWithWebhook(gateway, withStatus(500))];
  const good = await fine.eventOf(await fine.create());
  await fine.untilAttempt(good, 1, "delivered");
  const bad = await failing.eventOf(await failing.create());
  await failing.untilAttempt(bad, 1, "pending");
  await failing.advance(10);
  await failing.untilAttempt(bad, 2, "pending");
  const { signingKey } = (await failing.get("/webhooks/signingkey")).body;
  return { good, bad, received: failing.receiver.received, signingKey };
}

describe("PROOF: the invariant checker reports violations in deliveries", () => {
  const ground = violationFixture({}, makeHistory);
  const { reader, made, planted } = ground;

  test("reports nothing on a valid history", async () => {
    assert.deepEqual(await findViolations(reader), []);
    assert.deepEqual(await findUnsettled(reader), []);
    assertReceived(made().received, made().signingKey);
  });

  testPlantedViolations(
    ground,
    PLANTED,
    DELIVERY_RULES.map(({ about }) => about),
  );

  test("reports I21 when a delivery is overdue", () =>
    planted(`update deliveries set due_at = now() - interval '1 minute'`, async () => {
      assert.ok((await findUnsettled(reader)).some(({ about }) => about === "a delivery is overdue"));
    }));

  test("reports a delivery with another key's signature, and a repeat with another body", () => {
    const { received, signingKey } = made();
    assert.throws(() => assertReceived(received, "another key"));
    const [first, second] = received;
    assert.ok(first && second);
    assert.throws(() => assertReceived([first, { ...second, body: `${second.body} ` }], signingKey));
  });
});
