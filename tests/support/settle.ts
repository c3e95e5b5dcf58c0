import assert from "node:assert/strict";
import { reconcile } from "../../src/features/payouts/index.ts";
import { callsTo } from "./calls.ts";
import type { TestDatabase } from "./database.ts";
import { assertReceived } from "./delivery-invariants.ts";
import { assertInvariants, findUnsettled } from "./invariants.ts";
import { type Answered, assertKept } from "./mixed-load/answered.ts";
import type { LoadMerchant, LoadNode } from "./mixed-load/lane.ts";
import { inContext } from "./operator.ts";
import type { Invariant } from "./proof.ts";

/** I21's bound. */
const SETTLES_WITHIN_MS = 60_000;

/** What `assertSound` checks. */
export const SOUND: readonly Invariant[] = [
  "I1",
  "I2",
  "I3",
  "I4",
  "I5",
  "I6",
  "I7",
  "I8",
  "I9",
  "I10",
  "I11",
  "I13",
  "I14",
  "I21",
  "I22",
  "I24",
];

/** Waits in real time until nothing is unsettled: at most a minute since the last fault. Returns how many seconds it took. */
export async function settle(database: TestDatabase, lastFaultAt: number): Promise<number> {
  for (;;) {
    const left = await findUnsettled(database);
    const waitedMs = Date.now() - lastFaultAt;
    if (waitedMs > SETTLES_WITHIN_MS)
      assert.fail(`unsettled after a minute: ${JSON.stringify(left.slice(0, 10))}, ${left.length} in all`);
    if (left.length === 0) return Math.max(0, Math.round(waitedMs / 100) / 10);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

/**
 * What holds after any faults, on record and at the banks: every invariant, what was answered, the payouts' balances, and
 * that each event on record as delivered has arrived.
 */
export async function assertSound(
  database: TestDatabase,
  answered: Answered,
  { merchants, node }: { readonly merchants: readonly LoadMerchant[]; readonly node: LoadNode },
): Promise<void> {
  await assertInvariants(database);
  await assertKept(database, answered);
  const { balances, faults } = await inContext(database, reconcile);
  assert.deepEqual([faults, balances.filter(({ balanced }) => !balanced)], [[], []]);
  for (const merchant of merchants)
    await assertArrived(database, merchant, await signingKeyOf(node, merchant));
}

export async function signingKeyOf(node: LoadNode, { key }: Pick<LoadMerchant, "key">): Promise<string> {
  return (await callsTo(node.baseUrl).get("/webhooks/signingkey", { key })).body.signingKey;
}

/** An endpoint that acknowledges everything causes none of these. It may still be too slow for a gateway that stood still. */
const REFUSALS = [
  ...["http_error", "redirect_not_followed", "answer_malformed"],
  ...["connection_refused", "tls_failed", "address_refused", "name_not_found"],
];

/**
 * Every delivery verifies, what is on record as delivered has arrived, now or `earlier`, and no attempt is on record as
 * refused by the endpoint, which acknowledges everything. Returns the ids of all events that have arrived.
 */
export async function assertArrived(
  database: TestDatabase,
  { id, receiver }: LoadMerchant,
  signingKey: string,
  earlier: ReadonlySet<string> = new Set(),
): Promise<ReadonlySet<string>> {
  const delivered = await database.rows<{ id: string }>(
    "select event_id as id from deliveries where merchant_id = $1 and status = 'delivered'",
    [id],
  );
  const refused = await database.rows(
    `select event_id as id, error from deliveries where merchant_id = $1 and error = any ($2)
     union select event_id, error from delivery_attempts where merchant_id = $1 and error = any ($2)`,
    [id, REFUSALS],
  );
  // Nothing is awaited from here on: the caller may clear what has been received.
  assert.deepEqual(refused, [], "recorded as refused by an endpoint that acknowledges everything");
  assertReceived(receiver.received, signingKey);
  const arrived = new Set(earlier);
  for (const { headers } of receiver.received) arrived.add(String(headers["webhook-id"]));
  assert.ok(delivered.length > 0, "no event was delivered");
  assert.deepEqual(
    delivered.filter((one) => !arrived.has(one.id)),
    [],
    "recorded as delivered, but it did not arrive",
  );
  return arrived;
}
