import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { advanceClock, callApi, ok, payOnce, type Shop, shopOf } from "../support/checkout.ts";
import { disputeOf, whenDisputeIs } from "../support/disputes.ts";
import { findViolations } from "../support/invariants.ts";
import {
  type PlantedViolation,
  testPlantedViolations,
  violationFixture,
} from "../support/planted-violations.ts";

type Made = Readonly<Record<"open" | "won" | "lost" | "disputed", string>>;

const DELAY = 3600;

const PLANTED: readonly PlantedViolation<Made>[] = [
  [
    "I24",
    "the money of an open dispute was not taken",
    (made) => `delete from payout_lines where kind = 'dispute' and subject_id = '${made.open}'`,
  ],
  [
    "I24",
    "the money of a won dispute did not come back",
    (made) => `delete from payout_lines where kind = 'dispute_won' and subject_id = '${made.won}'`,
  ],
  [
    "I24",
    "a lost dispute is paid back",
    (made) =>
      `insert into payout_lines (merchant_id, kind, subject_id, transaction_id, currency, amount, at)
       select merchant_id, 'dispute_won', id, transaction_id, currency, amount, now() from disputes
       where id = '${made.lost}'`,
  ],
  [
    "I24",
    "a dispute takes another amount",
    (made) => `update payout_lines set amount = amount - 1 where subject_id = '${made.open}'`,
  ],
  [
    "I5",
    "a transaction does not hold the money of its dispute",
    (made) => `update transactions set disputed = 0 where id = '${made.disputed}'`,
  ],
  [
    "I9",
    "a change of a dispute has no event",
    (made) => `delete from events where resource_id = '${made.won}'
    and body like '%"status":"under_review"%'`,
  ],
  [
    "I9",
    "the last event shows another state",
    (made) => `update disputes set status = 'won' where id = '${made.lost}'`,
  ],
  [
    "I3",
    "a decided dispute was decided before",
    (made) =>
      `update events set body = replace(body, '"status":"under_review"', '"status":"won"')
       where resource_id = '${made.lost}'`,
  ],
];

/** Changes that the database itself refuses. */
const REFUSED: readonly (readonly [how: string, statement: (made: Made) => string])[] = [
  ["a won dispute is lost", (made) => `update disputes set status = 'lost' where id = '${made.won}'`],
  ["a lost dispute is won", (made) => `update disputes set status = 'won' where id = '${made.lost}'`],
  [
    "an open dispute is under review without evidence",
    (made) => `update disputes set status = 'under_review' where id = '${made.open}'`,
  ],
  [
    "a payment is disputed twice",
    (made) =>
      `insert into disputes select merchant_id, 'dsp_second', transaction_id, reference, reason, amount, currency,
         'needs_response', null, null, evidence_due_at, created_at, updated_at from disputes where id = '${made.open}'`,
  ],
  [
    "disputes hold more than was captured",
    (made) => `update transactions set disputed = captured + 1 where id = '${made.disputed}'`,
  ],
];

async function makeHistory(shop: Shop): Promise<Made> {
  await payOnce(shop, { amount: 90_000 });
  const [won, lost] = [await disputeOf(shop, {}, DELAY), await disputeOf(shop, {}, DELAY)];
  for (const [{ id }, text] of [
    [won, "win"],
    [lost, "other"],
  ] as const) {
    ok(await callApi(shop, "POST", `/disputes/${id}/evidence`, { text }));
  }
  await advanceClock(shop, DELAY);
  await whenDisputeIs(shop, won.id, "won");
  await whenDisputeIs(shop, lost.id, "lost");
  const open = await disputeOf(shop, {}, DELAY);
  ok(await callApi(shop, "POST", "/sandbox/settlements/run"));
  return { open: open.id, won: won.id, lost: lost.id, disputed: open.transactionId };
}

describe("PROOF: the invariant checker reports violations of disputes", () => {
  const ground = violationFixture({ TIDEGATE_SANDBOX_SETTLEMENT_SECONDS: String(DELAY) }, (gateway) =>
    makeHistory(shopOf(gateway)),
  );
  const { reader, made, within } = ground;

  test("reports nothing on a valid history", async () => {
    assert.deepEqual(await findViolations(reader), []);
  });

  testPlantedViolations(ground, PLANTED, []);

  for (const [how, statement] of REFUSED) {
    test(`the database refuses when ${how}`, () =>
      within(async (client) => assert.rejects(client.query(statement(made())))));
  }
});
