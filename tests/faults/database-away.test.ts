import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { assertRefused } from "../support/answers.ts";
import { CHECKOUT, NO_SUCH_ID } from "../support/asks.ts";
import { cloneDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { type Answer, startTestGateway, type TestGateway } from "../support/gateway.ts";
import { bringBack, cutConnections, holdTable, setDefaults, takeAway, waiting } from "../support/outage.ts";

async function withGateway(
  work: (gateway: TestGateway) => Promise<void>,
  environment: Readonly<Record<string, string>> = {},
): Promise<void> {
  const gateway = await startTestGateway({ environment });
  try {
    await work(gateway);
  } finally {
    await gateway.stop();
  }
}

function assertAway(answer: Answer): void {
  assertRefused(answer, 503, "S10001");
  assert.match(answer.headers.get("retry-after") ?? "", /^[1-9]\d*$/);
}

const words =
  /select|insert|relation|constraint|postgres|password|connect|terminat|stack|at .*\.ts|ECONN|node_modules/i;

describe("contract 2: 503 while the database is away", () => {
  test("every call says so, and all of it works again by itself", () =>
    withGateway(async (gateway) => {
      const { id } = (await gateway.post("/paymentrequests", CHECKOUT)).body;
      const short = { ...CHECKOUT, expiryDateTime: new Date(Date.now() + 61_000).toISOString() };
      const ending = (await gateway.post("/paymentrequests", short)).body.id;
      await takeAway(gateway.database);
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
        assertAway(answer);
        assert.doesNotMatch(JSON.stringify(answer.body), words);
      }
      assert.equal((await gateway.get("/healthz")).status, 200);
      assert.equal((await gateway.get("/metrics")).status, 200);
      // What needs no database is answered as always.
      assertRefused(await gateway.get("/nowhere"), 404, "V11011");
      assertRefused(await gateway.get("/events", { key: null }), 401, "V11006");
      // What is remembered of the key grows old; then nobody is let in, and that is a 503, too.
      await eventually("the key is forgotten", async () => {
        const answer = await gateway.get("/events");
        assertAway(answer);
        return answer.body.result.mode === undefined;
      });

      await bringBack(gateway.database);
      await eventually("it is ready", async () => (await gateway.get("/readyz")).status === 200);
      assert.equal((await gateway.get(`/paymentrequests/${id}`)).body.paymentRequestStatus, "created");
      const headers = { "x-idempotency-key": "in-the-dark" };
      assert.equal((await gateway.post("/paymentrequests", CHECKOUT, { headers })).status, 200);
      // Timed work has taken up again, too.
      await gateway.database.rows("update jobs set due_at = now() where subject_id = $1", [ending]);
      await gateway.database.rows("update payment_requests set expires_at = now() where id = $1", [ending]);
      await eventually("it has expired", async () => {
        const rows = await gateway.database.rows(
          "select 1 from payment_requests where id = $1 and status = 'expired'",
          [ending],
        );
        return rows.length === 1;
      });
    }));

  test("a request whose connection is cut in the middle is told so, and its key is free", () =>
    withGateway(async (gateway) => {
      const headers = { "x-idempotency-key": "cut" };
      const letGo = await holdTable(gateway.database, "payment_requests");
      const cut = gateway.post("/paymentrequests", CHECKOUT, { headers });
      await eventually("it waits", async () => (await waiting(gateway.database)) === 1);
      await cutConnections(gateway.database);
      assertAway(await cut);
      await letGo();
      // Other connections of the pool were cut as well, and the first to meet one of those hears of it.
      const again = async () =>
        (await gateway.post("/paymentrequests", CHECKOUT, { headers })).status === 200;
      await eventually("the key still works", again);
      assert.equal((await gateway.database.rows("select 1 from payment_requests")).length, 1);
    }));

  test("cut over and over, it never answers anything but success or 503", () =>
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
        "it works again",
        async () => (await gateway.post("/paymentrequests", CHECKOUT)).status === 200,
      );
    }));

  test("too much to do is 503, too, and what waited is done when there is room again", () =>
    withGateway(
      async (gateway) => {
        const letGo = await holdTable(gateway.database, "payment_requests");
        const begun = Date.now();
        const stuck = [1, 2].map(() => gateway.post("/paymentrequests", CHECKOUT));
        await eventually("all connections wait", async () => (await waiting(gateway.database)) >= 1);
        const more = Array.from({ length: 10 }, () => gateway.post("/paymentrequests", CHECKOUT));
        // Whoever watches can tell that it is alive, and that it is not the time to send it more.
        assert.equal((await gateway.get("/healthz")).status, 200);
        const refused = await Promise.race(more);
        assertAway(refused);
        assert.ok(Date.now() - begun < 8_000);
        await letGo();
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

describe("contract 2: 500 for what nobody expected", () => {
  test("says nothing but that and its id, and is over when its cause is", () =>
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
            codes: [{ id: "S10000", message: "system_error" }],
          },
        });
        assert.equal(answer.headers.get("x-request-id"), "find-me");
        assert.equal(answer.headers.get("retry-after"), null);
      }
      await gateway.database.rows("alter table hidden rename to payment_requests");
      assert.equal((await gateway.post("/paymentrequests", CHECKOUT, { headers })).status, 200);
    }));

  test("a broken key table makes no request without a key", () =>
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

  test("an event that can't be written takes the change with it", () =>
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

describe("an operator's own server may be set up in other ways", () => {
  for (const settings of [
    { timezone: "Asia/Kolkata" },
    { timezone: "Australia/Lord_Howe" },
    { datestyle: "German" },
    { datestyle: "SQL, DMY" },
    { default_transaction_isolation: "serializable" },
    { intervalstyle: "sql_standard", bytea_output: "escape", extra_float_digits: "0" },
  ] as Readonly<Record<string, string>>[]) {
    test(`with ${JSON.stringify(settings)} all times and rows are the same`, async () => {
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
