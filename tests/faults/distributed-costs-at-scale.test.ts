import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { listOrphaned } from "../../src/features/deliveries/sending/orphaned/queries.ts";
import { takeDue } from "../../src/features/deliveries/sending/queries.ts";
import { later } from "../../src/kernel/time.ts";
import type { Tx } from "../../src/platform/db/database.ts";
import { INDEXES_OF_SERVERS } from "../../src/platform/db/distribution.ts";
import { createClaimer } from "../../src/platform/jobs/claim.ts";
import { readJobHealth } from "../../src/platform/jobs/health/queries.ts";
import { listDue, listDueByMerchant, listMerchants } from "../../src/platform/jobs/queries.ts";
import { CITUS_URL } from "../support/citus.ts";
import { assertFlat, pagesTouched } from "../support/costs.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { sized } from "../support/proof.ts";
import { NOW } from "../support/timed-work.ts";

const MANY = sized(30_000, 300_000);
const KINDS = ["do", "long", "rare"] as const;
const NODE = { name: "node", pid: null, since: null, isOver: () => false };
const MERCHANTS = ["mer_big", "mer_small"];
const skip = CITUS_URL !== undefined && "it reads plans of one server";

/** Jobs of which one half is due, of two kinds; deliveries that wait for a retry, and some to deleted subscriptions. */
async function fill(database: TestDatabase, count: number): Promise<void> {
  for (const [name, place] of Object.entries(INDEXES_OF_SERVERS))
    await database.rows(`create index ${name} on ${place}`);
  await database.rows(
    `insert into jobs (kind, merchant_id, subject_id, due_at)
     select k, 'mer_big', 's-' || n, $1::timestamptz + hour * interval '1 hour' - n * interval '1 millisecond'
     from generate_series(1, $2::int) n, unnest(array['do', 'long'], array[24, 0]) as kinds (k, hour)
     union all select 'do', 'mer_small', 's', $1`,
    [new Date(NOW), count],
  );
  await database.rows(
    `insert into webhooks (merchant_id, id, event, url, status, created_at, updated_at)
     select 'mer_big', 'wh_' || n, event, 'https://shop.example', 'active', now(), now()
     from unnest(array[2, 5, 7, 8], array['payouts', 'disputes', 'customers', 'transactions']) as hooks (n, event)`,
  );
  await database.rows(
    "insert into webhook_signing_keys (merchant_id, sealed_key, created_at) values ('mer_big', 'sealed', now())",
  );
  await database.rows(
    `insert into deliveries (merchant_id, event_id, webhook_id, due_at)
     select 'mer_big', 'evt_' || n, 'wh_' || 2 + 3 * (n % 2), now() + interval '1 day' from generate_series(1, $1::int) n`,
    [count],
  );
  await database.rows("vacuum analyze");
}

describe(`the statements of a distributed database cost the same at 100 and at ${MANY} rows`, {
  skip,
}, () => {
  let small: TestDatabase;
  let large: TestDatabase;
  before(async () => {
    [small, large] = [await cloneDatabase(), await cloneDatabase()];
    await fill(small, 100);
    await fill(large, MANY);
  });
  after(() => Promise.all([small.drop(), large.drop()]));

  const pages = (database: TestDatabase, work: (tx: Tx) => Promise<unknown>) =>
    pagesTouched(database, work, true);
  const cases: Readonly<Record<string, (tx: Tx) => Promise<unknown>>> = {
    "looking for the oldest due jobs": (tx) => listDue(tx, NOW, KINDS, 5),
    "listing merchants": (tx) => listMerchants(tx, "", 64),
    "looking for the due jobs of merchants in turn": (tx) =>
      listDueByMerchant(
        tx,
        NOW,
        MERCHANTS.flatMap((merchantId) => KINDS.map((kind) => ({ kind, merchantId }))),
      ),
    "a whole claim": (tx) =>
      createClaimer(KINDS, { total: () => 0, ofMerchant: () => 0 })(tx, NOW, later(NOW, 60_000)),
    "metrics of jobs of which none is overdue": (tx) => readJobHealth(tx, later(NOW, -86_400_000)),
    "looking for due deliveries where all wait for a retry": (tx) =>
      takeDue(tx, NODE, { held: [], candidates: MERCHANTS, leaseSeconds: 5, newMerchantsAtMost: 64 }),
    "looking for deliveries to deleted subscriptions where there are none": (tx) => listOrphaned(tx, "", 100),
  };
  for (const [what, work] of Object.entries(cases))
    test(what, async () => {
      assertFlat(await pages(small, work), await pages(large, work), what);
    });

  test("the measurement notices a scan", async () => {
    // On no record of statements, which another test of this process examines.
    const all = { name: "scan", text: "", emitsEvent: false, distributed: "select distinct kind from jobs" };
    const scan = (tx: Tx) => tx.rows(all, []);
    assert.ok((await pages(large, scan)) > 20 * (await pages(small, scan)));
  });

  test("deleted subscriptions before, between and after the others are found, and no other", async () => {
    await small.rows(
      `insert into deliveries (merchant_id, event_id, webhook_id, due_at)
       select 'mer_big', 'evt_of_' || n, 'wh_' || n, now() + interval '1 day' from unnest(array[1, 3, 4, 6, 9]) n`,
    );
    const found: string[] = [];
    await pages(small, async (tx) => {
      found.splice(0);
      for (const { webhookId } of (await listOrphaned(tx, "", 100)).orphaned) found.push(webhookId);
    });
    // What is behind another in the same gap is found when that is closed.
    assert.deepEqual(found.toSorted(), ["wh_1", "wh_3", "wh_6", "wh_9"]);
  });
});
