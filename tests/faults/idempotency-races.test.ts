import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import pg from "pg";
import { finishKeysOf } from "../../src/platform/idempotency/queries.ts";
import { assertRefused } from "../support/answers.ts";
import { CITUS_URL } from "../support/citus.ts";
import { assertFlat, pagesTouched } from "../support/costs.ts";
import { cloneDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { type Answer, startTestGateway, type TestGateway } from "../support/gateway.ts";
import { cutConnections, waiting } from "../support/outage.ts";
import { CHECKOUT } from "../support/request-bodies.ts";

const MANY = 300_000;

const skip = CITUS_URL !== undefined && "it reads plans of one server";

describe("marking the keys of a resource as done", { skip }, () => {
  test("costs the same at 10 and at 300,000 keys, with stale statistics too", async () => {
    const pages: number[] = [];
    for (const count of [10, MANY]) {
      const database = await cloneDatabase();
      await database.rows(
        `insert into idempotency_keys (merchant_id, key, request_id, resource_id, status)
         select 'mer_a', 'k' || n, 'r', 'txn_' || n, case n when 5 then 'processing' else 'done' end
         from generate_series(1, $1) n`,
        [count],
      );
      pages.push(await pagesTouched(database, (tx) => finishKeysOf(tx, "mer_a", "txn_5")));
      pages.push(await pagesTouched(database, (tx) => finishKeysOf(tx, "mer_a", "txn_6")));
      await database.drop();
    }
    const [one = 0, none = 0, oneOfMany = 0, noneOfMany = 0] = pages;
    assertFlat(one, oneOfMany, "one key is processing");
    assertFlat(none, noneOfMany, "none is");
  });
});

const withKey = (key: string) => ({ headers: { "x-idempotency-key": key } });

describe("proof I8: fifty concurrent requests with one key on two nodes", () => {
  let one: TestGateway;
  let two: TestGateway;
  before(async () => {
    one = await startTestGateway();
    two = await startTestGateway({ database: one.database });
  });
  after(async () => {
    await two.stop();
    await one.stop();
  });

  const fifty = (call: (node: TestGateway, index: number) => Promise<Answer>) =>
    Promise.all(Array.from({ length: 50 }, (_, index) => call(index % 2 === 0 ? one : two, index)));

  /** Asserts that exactly one request succeeded, and that each of the others refers to its result. */
  function assertOne(answers: readonly Answer[]): Answer {
    const done = answers.filter((answer) => answer.status === 200);
    assert.equal(done.length, 1);
    const [winner] = done as [Answer];
    for (const answer of answers) {
      if (answer === winner) continue;
      assertRefused(answer, 409, "V10018");
      assert.equal(answer.body.original.status, "done");
      assert.equal(answer.body.original.requestId, winner.headers.get("x-request-id"));
    }
    return winner;
  }
  const count = async (text: string, values: readonly unknown[]) =>
    (await one.database.rows(text, values)).length;

  for (let round = 1; round <= 3; round += 1) {
    test(`creates make exactly one resource (round ${round})`, async () => {
      const reference = `race-${round}`;
      const body = { ...CHECKOUT, reference };
      const answers = await fifty((node) => node.post("/paymentrequests", body, withKey(`create-${round}`)));
      const { id } = assertOne(answers).body;
      assert.ok(answers.every((answer) => answer.status === 200 || answer.body.original.id === id));
      assert.equal(await count("select 1 from payment_requests where reference = $1", [reference]), 1);
      assert.equal(await count("select 1 from events where resource_id = $1", [id]), 1);
      assert.equal(await count("select 1 from jobs where subject_id = $1", [id]), 1);
    });
  }

  test("requests with different bodies make exactly one resource", async () => {
    const answers = await fifty((node, index) =>
      node.post("/paymentrequests", { ...CHECKOUT, payment: { amount: index + 1 } }, withKey("differ")),
    );
    assertOne(answers);
  });

  test("cancellations cancel exactly once, with one event", async () => {
    const { id } = (await one.post("/paymentrequests", CHECKOUT)).body;
    assertOne(
      await fifty((node) => node.post(`/paymentrequests/${id}/cancel`, undefined, withKey("cancel"))),
    );
    assert.equal(await count("select 1 from events where resource_id = $1", [id]), 2);
  });

  test("token requests create exactly one token", async () => {
    const { id } = (await one.post("/paymentrequests", CHECKOUT)).body;
    const input = { scope: "payui", paymentRequestId: id };
    assertOne(await fifty((node) => node.post("/tokens", input, withKey("token"))));
    assert.equal(await count("select 1 from one_time_tokens where payment_request_id = $1", [id]), 1);
  });

  test("clock advances move the clock exactly once", async () => {
    const { key } = await one.newMerchant();
    const advance = (node: TestGateway) =>
      node.post("/sandbox/clock/advance", { seconds: 100 }, { ...withKey("clock"), key });
    assertOne(await fifty(advance));
    const [row] = await one.database.rows<{ moved: number }>(
      "select clock_offset_ms::int as moved from merchants where clock_offset_ms > 0",
    );
    assert.equal(row?.moved, 100_000);
  });

  test("of requests on different paths, exactly one is carried out", async () => {
    const { id } = (await one.post("/paymentrequests", CHECKOUT)).body;
    const calls = [
      (node: TestGateway) => node.post("/paymentrequests", CHECKOUT, withKey("paths")),
      (node: TestGateway) => node.post(`/paymentrequests/${id}/cancel`, undefined, withKey("paths")),
      (node: TestGateway) => node.put("/management/account", { name: "x" }, withKey("paths")),
    ];
    assertOne(await fifty((node, index) => (calls[index % 3] as (typeof calls)[0])(node)));
  });

  test("fifty keys make fifty resources", async () => {
    const answers = await fifty((node, index) =>
      node.post("/paymentrequests", CHECKOUT, withKey(`own-${index}`)),
    );
    assert.equal(new Set(answers.map((answer) => answer.body.id)).size, 50);
  });

  for (const end of ["rollback", "commit"] as const) {
    test(`a request waits for a key in use; after a ${end} it ${end === "commit" ? "is refused as a repeat" : "is carried out"}`, async () => {
      const key = `wait-${end}`;
      const merchantId = (await one.get("/management/account")).body.id;
      const holder = new pg.Client({ connectionString: one.database.url });
      await holder.connect();
      await holder.query("begin");
      await holder.query(
        "insert into idempotency_keys (merchant_id, key, request_id) values ($1, $2, 'first')",
        [merchantId, key],
      );
      const second = two.post("/paymentrequests", CHECKOUT, withKey(key));
      await eventually("the second waits for the first", async () => (await waiting(one.database)) === 1);
      await holder.query(end);
      await holder.end();
      const answer = await second;
      if (end === "rollback") assert.equal(answer.status, 200);
      else assert.equal(answer.body.original.requestId, "first");
      assertRefused(await one.post("/paymentrequests", CHECKOUT, withKey(key)), 409, "V10018");
    });
  }
});

describe("proof I8: a key is used exactly when its resource exists", () => {
  const both = `
    select k.key as used, r.id as made from idempotency_keys k
    full join payment_requests r on r.merchant_id = k.merchant_id and r.id = k.resource_id
    where (k.key is null) <> (r.id is null)`;

  test("even while database connections are cut at random", async () => {
    const gateway = await startTestGateway();
    try {
      let cutting = true;
      let cuts = 0;
      const cutter = (async () => {
        while (cutting) {
          await cutConnections(gateway.database);
          cuts += 1;
        }
      })();
      const keys = Array.from({ length: 120 }, (_, index) => `line-${index}`);
      const first = new Map<string, number>();
      for (let at = 0; at < keys.length; at += 6) {
        await Promise.all(
          keys.slice(at, at + 6).map(async (key) => {
            first.set(key, (await gateway.post("/paymentrequests", CHECKOUT, withKey(key))).status);
          }),
        );
      }
      cutting = false;
      await cutter;
      assert.ok(cuts > 5);
      await eventually(
        "the gateway is ready again",
        async () => (await gateway.get("/readyz")).status === 200,
      );
      assert.deepEqual(await gateway.database.rows(both), []);
      // A caller that got no outcome repeats the request: it succeeds now, or the answer refers to the first one.
      for (const key of keys) {
        const again = await gateway.post("/paymentrequests", CHECKOUT, withKey(key));
        if (again.status === 200) {
          assert.equal(first.get(key), 503);
          continue;
        }
        assertRefused(again, 409, "V10018");
        assert.equal((await gateway.get(`/paymentrequests/${again.body.original.id}`)).status, 200);
      }
      const rows = await gateway.database.rows("select 1 from payment_requests");
      assert.equal(rows.length, keys.length);
      assert.equal((await gateway.database.rows("select 1 from events")).length, keys.length);
    } finally {
      await gateway.stop();
    }
  });
});
