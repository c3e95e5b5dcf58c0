import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { assertRefused } from "../support/answers.ts";
import { shownCode } from "../support/codes.ts";
import { cloneDatabase } from "../support/database.ts";
import { startDatabaseProxy } from "../support/database-proxy.ts";
import { eventually } from "../support/eventually.ts";
import { type Answer, startTestGateway, type TestGateway } from "../support/gateway.ts";
import {
  allowConnections,
  cutConnections,
  holdTable,
  refuseConnections,
  setDefaults,
  waiting,
} from "../support/outage.ts";
import { CHECKOUT, NO_SUCH_ID } from "../support/request-bodies.ts";

async function withGateway(
  work: (gateway: TestGateway) => Promise<void>,
  environment: Readonly<Record<string, string>> = {},
): Promise<void> {
  const database = await cloneDatabase();
  // With the time for a connection that a gateway has by itself.
  const url = database.url.replace(/\?.*$/, "");
  const gateway = await startTestGateway({ environment, database: { ...database, url } });
  try {
    await work(gateway);
  } finally {
    await gateway.stop();
    await database.drop();
  }
}

function assertUnavailable(answer: Answer): void {
  assertRefused(answer, 503, "S10001");
  assert.match(answer.headers.get("retry-after") ?? "", /^[1-9]\d*$/);
}

const INTERNALS =
  /select|insert|relation|constraint|postgres|password|connect|terminat|stack|at .*\.ts|ECONN|node_modules/i;

describe("contract 2: 503 while the database is unavailable", () => {
  test("every call answers 503, and everything recovers without a restart", () =>
    withGateway(async (gateway) => {
      const { id } = (await gateway.post("/paymentrequests", CHECKOUT)).body;
      const shortLived = { ...CHECKOUT, expiryDateTime: new Date(Date.now() + 3_600_000).toISOString() };
      const expiringId = (await gateway.post("/paymentrequests", shortLived)).body.id;
      await refuseConnections(gateway.database);
      const calls: (() => Promise<Answer>)[] = [
        () => gateway.post("/paymentrequests", CHECKOUT, { headers: { "x-idempotency-key": "in-the-dark" } }),
        () => gateway.get("/paymentrequests"),
        () => gateway.get(`/paymentrequests/${id}`),
        () => gateway.post(`/paymentrequests/${id}/cancel`),
        () => gateway.post("/tokens", { scope: "payui", paymentRequestId: id }),
        () => gateway.get("/events"),
        () => gateway.get("/management/account"),
        () => gateway.put("/management/account", { name: "x" }),
        () => gateway.post("/sandbox/clock/advance", { seconds: 1 }),
        () => gateway.get("/events", { key: "a_key_that_nobody_knows" }),
        () => gateway.get("/readyz"),
      ];
      for (const call of calls) {
        const answer = await call();
        assertUnavailable(answer);
        assert.doesNotMatch(JSON.stringify(answer.body), INTERNALS);
      }
      assert.equal((await gateway.get("/healthz")).status, 200);
      assert.equal((await gateway.get("/metrics")).status, 200);
      // What needs no database is answered as usual.
      assertRefused(await gateway.get("/nowhere"), 404, "V11011");
      assertRefused(await gateway.get("/events", { key: null }), 401, "V11006");
      // The cached key expires; then authentication fails with 503, too.
      await eventually("the cached key has expired", async () => {
        const answer = await gateway.get("/events");
        assertUnavailable(answer);
        return answer.body.result.mode === undefined;
      });

      await allowConnections(gateway.database);
      await eventually("the gateway is ready", async () => (await gateway.get("/readyz")).status === 200);
      assert.equal((await gateway.get(`/paymentrequests/${id}`)).body.paymentRequestStatus, "created");
      const headers = { "x-idempotency-key": "in-the-dark" };
      assert.equal((await gateway.post("/paymentrequests", CHECKOUT, { headers })).status, 200);
      // Jobs run again, too.
      await gateway.database.rows("update jobs set due_at = now() where subject_id = $1", [expiringId]);
      await gateway.database.rows("update payment_requests set expires_at = now() where id = $1", [
        expiringId,
      ]);
      await eventually("the request has expired", async () => {
        const rows = await gateway.database.rows(
          "select 1 from payment_requests where id = $1 and status = 'expired'",
          [expiringId],
        );
        return rows.length === 1;
      });
    }));

  test("a request whose database connection is cut answers 503, and its idempotency key stays free", () =>
    withGateway(async (gateway) => {
      const headers = { "x-idempotency-key": "cut" };
      const release = await holdTable(gateway.database, "payment_requests");
      const cut = gateway.post("/paymentrequests", CHECKOUT, { headers });
      await eventually("the request waits for the lock", async () => (await waiting(gateway.database)) === 1);
      await cutConnections(gateway.database);
      assertUnavailable(await cut);
      await release();
      // Other connections of the pool were cut as well; the next requests that use them answer 503.
      const again = async () =>
        (await gateway.post("/paymentrequests", CHECKOUT, { headers })).status === 200;
      await eventually("the key still works", again);
      assert.equal((await gateway.database.rows("select 1 from payment_requests")).length, 1);
    }));

  test("while connections are cut repeatedly, every answer is a success, 404 or 503", () =>
    withGateway(async (gateway) => {
      let cutting = true;
      const cutter = (async () => {
        while (cutting) await cutConnections(gateway.database);
      })();
      const statuses = new Map<number, number>();
      for (let round = 0; round < 40; round += 1) {
        const answers = await Promise.all([
          gateway.post("/paymentrequests", CHECKOUT),
          gateway.get("/paymentrequests"),
          gateway.get(`/paymentrequests/${NO_SUCH_ID}`),
          gateway.put("/management/account", { name: `Round ${round}` }),
        ]);
        for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
      cutting = false;
      await cutter;
      assert.deepEqual(
        [...statuses.keys()].filter((status) => ![200, 404, 503].includes(status)),
        [],
      );
      assert.ok((statuses.get(503) ?? 0) > 0);
      await eventually(
        "creates succeed again",
        async () => (await gateway.post("/paymentrequests", CHECKOUT)).status === 200,
      );
    }));

  test("a database that vanishes without a word gets every call 503 within 20 seconds; then all goes on", async () => {
    const database = await cloneDatabase();
    const proxy = await startDatabaseProxy(database.url, Math.random);
    const gateway = await startTestGateway({ database: { ...database, url: proxy.url } });
    try {
      assert.equal((await gateway.post("/paymentrequests", CHECKOUT)).status, 200);
      proxy.set("hang");
      const sentAt = Date.now();
      // The first use connections that were open before, the others wait for new ones.
      const calls = Array.from({ length: 12 }, (_, index) =>
        index % 2 === 0 ? gateway.post("/paymentrequests", CHECKOUT) : gateway.get("/paymentrequests"),
      );
      for (const answer of await Promise.all(calls)) assertUnavailable(answer);
      assert.ok(Date.now() - sentAt < 20_000, `answered after ${Date.now() - sentAt} ms`);
      proxy.set("pass");
      await eventually(
        "creates succeed again",
        async () => (await gateway.post("/paymentrequests", CHECKOUT)).status === 200,
      );
    } finally {
      await gateway.stop();
      await proxy.close();
      await database.drop();
    }
  });

  test("an exhausted connection pool answers 503, and waiting requests finish when it frees up", () =>
    withGateway(
      async (gateway) => {
        const release = await holdTable(gateway.database, "payment_requests");
        const startedAt = Date.now();
        const stuck = [1, 2].map(() => gateway.post("/paymentrequests", CHECKOUT));
        await eventually("all connections wait", async () => (await waiting(gateway.database)) >= 1);
        const more = Array.from({ length: 10 }, () => gateway.post("/paymentrequests", CHECKOUT));
        // A health check still sees that the process is alive.
        assert.equal((await gateway.get("/healthz")).status, 200);
        const refused = await Promise.race(more);
        assertUnavailable(refused);
        assert.ok(Date.now() - startedAt < 20_000);
        await release();
        const settled = await Promise.all([...stuck, ...more]);
        assert.ok(settled.every((answer) => answer.status === 200 || answer.status === 503));
        const made = settled.filter((answer) => answer.status === 200).length;
        assert.equal((await gateway.database.rows("select 1 from payment_requests")).length, made);
        assert.ok(made >= 1);
        assert.equal((await gateway.get("/readyz")).status, 200);
      },
      { TIDEGATE_DATABASE_POOL_SIZE: "2" },
    ));
});

describe("contract 2: 500 for unexpected errors", () => {
  test("the answer shows only the code and the request id, and calls succeed once the cause is gone", () =>
    withGateway(async (gateway) => {
      await gateway.database.rows("alter table payment_requests rename to hidden");
      const headers = { "x-request-id": "find-me", "x-idempotency-key": "kept" };
      for (const answer of [
        await gateway.post("/paymentrequests", CHECKOUT, { headers }),
        await gateway.get("/paymentrequests", { headers }),
        await gateway.get(`/paymentrequests/${NO_SUCH_ID}`, { headers }),
      ]) {
        assertRefused(answer, 500, "S10000");
        assert.deepEqual(answer.body, {
          result: {
            mode: "sandbox",
            status: "system_error",
            codes: [shownCode("S10000 system_error", gateway.baseUrl)],
          },
        });
        assert.equal(answer.headers.get("x-request-id"), "find-me");
        assert.equal(answer.headers.get("retry-after"), null);
      }
      await gateway.database.rows("alter table hidden rename to payment_requests");
      assert.equal((await gateway.post("/paymentrequests", CHECKOUT, { headers })).status, 200);
    }));

  test("if the idempotency key cannot be stored, the request is not carried out", () =>
    withGateway(async (gateway) => {
      await gateway.database.rows("alter table idempotency_keys rename to hidden");
      const headers = { "x-idempotency-key": "kept" };
      assertRefused(await gateway.post("/paymentrequests", CHECKOUT, { headers }), 500, "S10000");
      assertRefused(await gateway.post("/sandbox/clock/advance", { seconds: 5 }, { headers }), 500, "S10000");
      await gateway.database.rows("alter table hidden rename to idempotency_keys");
      assert.equal((await gateway.database.rows("select 1 from payment_requests")).length, 0);
      const [merchant] = await gateway.database.rows("select clock_offset_ms::int as moved from merchants");
      assert.deepEqual(merchant, { moved: 0 });
    }));

  test("if an event cannot be written, its change is rolled back", () =>
    withGateway(async (gateway) => {
      const { id } = (await gateway.post("/paymentrequests", CHECKOUT)).body;
      await gateway.database.rows("alter table events add constraint none check (false) not valid");
      assertRefused(await gateway.post("/paymentrequests", CHECKOUT), 500, "S10000");
      assertRefused(await gateway.post(`/paymentrequests/${id}/cancel`), 500, "S10000");
      await gateway.database.rows("alter table events drop constraint none");
      const rows = await gateway.database.rows("select id, status from payment_requests");
      assert.deepEqual(rows, [{ id, status: "created" }]);
      assert.equal((await gateway.post(`/paymentrequests/${id}/cancel`)).status, 200);
    }));
});

describe("an operator's own server may have other defaults", () => {
  for (const settings of [
    { timezone: "Asia/Kolkata" },
    { timezone: "Australia/Lord_Howe" },
    { datestyle: "German" },
    { datestyle: "SQL, DMY" },
    { default_transaction_isolation: "serializable" },
    { intervalstyle: "sql_standard", bytea_output: "escape", extra_float_digits: "0" },
  ] as Readonly<Record<string, string>>[]) {
    test(`with ${JSON.stringify(settings)}, times and results are the same`, async () => {
      const database = await cloneDatabase();
      await setDefaults(database, settings);
      const gateway = await startTestGateway({ database });
      try {
        const soon = new Date(Date.now() + 3_600_000).toISOString();
        const created = await gateway.post("/paymentrequests", { ...CHECKOUT, expiryDateTime: soon });
        assert.equal(created.status, 200, JSON.stringify(created.body));
        assert.equal(created.body.expiryDateTime, soon);
        assert.deepEqual((await gateway.get(`/paymentrequests/${created.body.id}`)).body, created.body);
        assert.equal((await gateway.post("/sandbox/clock/advance", { seconds: 3_600 })).status, 200);
        assert.equal(
          (await gateway.get(`/paymentrequests/${created.body.id}`)).body.paymentRequestStatus,
          "expired",
        );
        assert.equal((await gateway.get("/management/account")).status, 200);
        const many = await Promise.all(
          Array.from({ length: 20 }, () =>
            gateway.post("/paymentrequests", CHECKOUT, { headers: { "x-idempotency-key": "one" } }),
          ),
        );
        assert.equal(many.filter((answer) => answer.status === 200).length, 1);
        assert.equal(many.filter((answer) => answer.status === 409).length, 19);
      } finally {
        await gateway.stop();
        await database.drop();
      }
    });
  }
});
