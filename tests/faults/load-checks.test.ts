import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import pg from "pg";
import { shopOf } from "../support/checkout.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { DROP_CONSTRAINTS } from "../support/drop-constraints.ts";
import { eventually } from "../support/eventually.ts";
import { startTestGateway } from "../support/gateway.ts";
import { type Answered, assertKept, KINDS, nothingAnswered } from "../support/mixed-load/answered.ts";
import type { LoadMerchant } from "../support/mixed-load/lane.ts";
import { openMerchants, startLoad } from "../support/mixed-load.ts";
import { proofSeed } from "../support/proof.ts";
import { seeded } from "../support/random.ts";
import { assertArrived, settle, signingKeyOf } from "../support/settle.ts";

const A_MINUTE_MS = 60_000;

/** What a crash could take away: the record. The name of a changed customer follows its id. */
const LOST = ["transactions", "payment_requests", "refunds", "disputes", "incoming_transfers"]
  .concat("payment_instruments", "customers")
  .map((table) => `delete from ${table} where id = split_part($1, ' ', 1)`)
  .concat("delete from payment_requests where reference = $1");

/** And what it could undo: the change that was answered. */
const UNDONE = [
  `update transactions set status = 'pending', source = 'apple_pay', capture_status = 'uncaptured' where id = $1`,
  "update payment_requests set status = 'created' where id = $1",
  'insert into payment_requests select (p).* from (select jsonb_populate_record(r, \'{"id": "pr_second"}\') as p from payment_requests r where reference = $1) as copy',
  "update refunds set status = 'pending' where id = $1",
  "update disputes set status = 'needs_response', evidence_at = null where id = $1",
  "update incoming_transfers set status = 'returning' where id = $1",
  "update payment_instruments set type = 'bank_account', deleted_at = null where id = $1",
  "update customers set name = 'Before the change' where id = split_part($1, ' ', 1)",
];

describe("PROOF: the checks after a load report what was answered and is not on record", () => {
  let database: TestDatabase;
  let client: pg.Client;
  let answered: Answered;
  let merchant: LoadMerchant;
  let signingKey: string;

  before(async () => {
    database = await cloneDatabase();
    const environment = { TIDEGATE_SANDBOX_SETTLEMENT_SECONDS: "0" };
    const gateway = await startTestGateway({ database, environment });
    try {
      const node = shopOf(gateway);
      const merchants = await openMerchants(database, node, 1);
      const ahead = await openMerchants(database, node, 2);
      const random = seeded(proofSeed);
      const load = startLoad({ nodes: () => [node], merchants, ahead, random, lanes: 3 });
      await eventually("the load has done everything that it can do", async () => {
        load.check();
        return load.missing().length === 0;
      });
      await load.stop();
      await settle(database, Date.now());
      answered = load.answered;
      merchant = merchants[0] ?? assert.fail();
      signingKey = await signingKeyOf(node, merchant);
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

  /** Checks the answers of one kind after a change of one of its records, which is rolled back. */
  async function keptDespite(kind: (typeof KINDS)[number], statements: readonly string[]): Promise<void> {
    const [id = assert.fail(`nothing of ${kind} was answered`)] = answered.done[kind];
    await despite(statements, [id], async (changed) => {
      const done = { ...nothingAnswered().done, [kind]: answered.done[kind] };
      await assertKept(changed, { ...answered, done });
    });
  }

  /** Runs a check after these changes, which are rolled back. */
  async function despite(
    statements: readonly string[],
    values: readonly string[],
    check: (changed: TestDatabase) => Promise<unknown>,
  ): Promise<void> {
    await client.query("begin");
    try {
      await client.query(DROP_CONSTRAINTS);
      for (const statement of statements) await client.query(statement, [...values]);
      const rows: TestDatabase["rows"] = async (text, parameters = []) =>
        (await client.query(text, [...parameters])).rows;
      await check({ ...database, rows });
    } finally {
      await client.query("rollback");
    }
  }

  test("nothing is reported when everything is on record", async () => {
    await assertKept(database, answered);
    await assertArrived(database, merchant, signingKey);
  });

  for (const kind of KINDS) {
    const reported = new RegExp(`answered as done, but not on record: ${kind}\n`);
    test(`a lost record is reported: ${kind}`, () => assert.rejects(keptDespite(kind, LOST), reported));
    test(`an undone change is reported: ${kind}`, () => assert.rejects(keptDespite(kind, UNDONE), reported));
  }

  test("an event that is recorded as delivered and did not arrive is reported", async () => {
    const { received } = merchant.receiver;
    const lost = received[0]?.headers["webhook-id"];
    const rest = received.filter(({ headers }) => headers["webhook-id"] !== lost);
    const without = { ...merchant, receiver: { ...merchant.receiver, received: rest } };
    await assert.rejects(assertArrived(database, without, signingKey), /but it did not arrive/);
    await assertArrived(database, without, signingKey, new Set([String(lost)]));
  });

  for (const [where, table] of [
    ["an attempt", "delivery_attempts"],
    ["a delivery", "deliveries"],
  ] as const)
    test(`${where} that an endpoint refused, which acknowledges everything, is reported`, async () => {
      const refused = {
        deliveries: `update deliveries set status = 'pending', failures = 1, http_status = 500, error = 'http_error'
          where merchant_id = $1 and event_id = (select max(id) from events where merchant_id = $1)`,
        delivery_attempts: `insert into delivery_attempts (merchant_id, event_id, webhook_id, attempt, attempted_at, latency_ms, error)
          select merchant_id, event_id, webhook_id, 0, attempted_at, 1, 'connection_refused' from deliveries
          where merchant_id = $1 limit 1`,
      }[table];
      await assert.rejects(
        despite([refused], [merchant.id], (changed) => assertArrived(changed, merchant, signingKey)),
        /recorded as refused by an endpoint/,
      );
    });

  test("a delivery that does not verify, and a merchant without any, are reported", async () => {
    await assert.rejects(assertArrived(database, merchant, "another key"));
    await assert.rejects(
      assertArrived(database, { ...merchant, id: "another" }, signingKey),
      /no event was delivered/,
    );
  });

  test("I21: what is unsettled a minute after the last fault is reported, what settles in time is not", async () => {
    // The gateway has stopped: what is due later would be overdue soon.
    await database.rows("delete from jobs");
    await database.rows(
      "insert into jobs (merchant_id, kind, subject_id, due_at) values ($1, 'planted', 'txn_planted', now() - interval '1 minute')",
      [merchant.id],
    );
    await assert.rejects(
      settle(database, Date.now() - A_MINUTE_MS - 1),
      /unsettled after a minute: .*a job is overdue/,
    );
    const settling = settle(database, Date.now() - 10_000);
    await database.rows("delete from jobs where kind = 'planted'");
    assert.ok((await settling) >= 10);
  });
});
