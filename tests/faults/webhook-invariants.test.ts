import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { assertReceived, DELIVERIES_AT_REST, DELIVERY_RULES } from "../support/delivery-invariants.ts";
import type { TestGateway } from "../support/gateway.ts";
import { findUnsettled, findViolations } from "../support/invariants.ts";
import {
  type PlantedViolation,
  testPlantedViolations,
  type UnsettledState,
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

const waits = (changes: string) => (made: Made) =>
  `update deliveries set status = 'pending', ${changes} where event_id = '${made.bad}'`;

const UNSETTLED: readonly UnsettledState<Made>[] = [
  [
    "a delivery is overdue",
    "a delivery is overdue",
    () => "update deliveries set due_at = now() - interval '1 minute'",
  ],
  [
    "a delivery waits, although no attempt of it failed",
    "a delivery that was never attempted is due in an hour",
    waits("attempts = 0, failures = 0, http_status = null, error = null, due_at = now() + interval '1 hour'"),
  ],
  [
    "a delivery waits, although no attempt of it failed",
    "a delivery is repeated that the endpoint acknowledged",
    waits("failures = 1, http_status = 204, due_at = now() + interval '4 seconds'"),
  ],
  [
    "a delivery waits for longer than its schedule says",
    "the retry after the first failure comes a minute later",
    waits(
      "failures = 1, http_status = null, error = 'connection_reset', due_at = now() + interval '1 minute'",
    ),
  ],
  [
    "a delivery waits for longer than its schedule says",
    "an endpoint asks for more than a day, and gets it",
    waits("failures = 1, http_status = 503, error = 'http_error', due_at = now() + interval '25 hours'"),
  ],
];

/** Deliveries that wait rightly. */
const AT_REST: readonly (readonly [how: string, plant: (made: Made) => string])[] = [
  [
    "the first retry waits for 6 seconds",
    waits(
      "failures = 1, http_status = null, error = 'connection_reset', due_at = now() + interval '6 seconds'",
    ),
  ],
  [
    "the retry after a timeout waits for a minute",
    waits("failures = 1, http_status = null, error = 'timeout', due_at = now() + interval '60 seconds'"),
  ],
  [
    "an endpoint asks for a day",
    waits("failures = 1, http_status = 503, error = 'http_error', due_at = now() + interval '1 day'"),
  ],
  [
    "the gateway has no network",
    waits(
      "failures = 0, http_status = null, error = 'network_unreachable', due_at = now() + interval '70 seconds'",
    ),
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

  for (const [rule, how, plant] of UNSETTLED) {
    test(`reports I21 when ${how}`, () =>
      planted(plant(made()), async () => {
        const reported = (await findUnsettled(reader)).map(({ about }) => about);
        assert.ok(reported.includes(rule), `reported only ${reported.join(", ")}`);
      }));
  }

  test("every rule at rest has a planted state", () => {
    assert.deepEqual(
      new Set(UNSETTLED.map(([rule]) => rule)),
      new Set(DELIVERIES_AT_REST.map(({ about }) => about)),
    );
  });

  for (const [how, plant] of AT_REST) {
    test(`reports nothing when ${how}`, () =>
      planted(plant(made()), async () => assert.deepEqual(await findUnsettled(reader), [])));
  }

  test("reports a delivery with another key's signature, and a repeat with another body", () => {
    const { received, signingKey } = made();
    assert.throws(() => assertReceived(received, "another key"));
    const [first, second] = received;
    assert.ok(first && second);
    assert.throws(() => assertReceived([first, { ...second, body: `${second.body} ` }], signingKey));
  });
});
