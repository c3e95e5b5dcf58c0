import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { assertRefused } from "../../support/answers.ts";
import { eventually } from "../../support/eventually.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { CHECKOUT } from "../../support/request-bodies.ts";

let gateway: TestGateway;
before(async () => {
  gateway = await startTestGateway();
});
after(() => gateway.stop());

const YEAR = 366 * 86_400;

/** A separate merchant for each test, with the calls it makes. */
async function merchant() {
  const { id, key } = await gateway.newMerchant();
  return {
    id,
    key,
    advance: (seconds: unknown) => gateway.post("/sandbox/clock/advance", { seconds }, { key }),
    create: async (more: object = {}) => {
      const answer = await gateway.post("/paymentrequests", { ...CHECKOUT, ...more }, { key });
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      return answer.body;
    },
    get: (path: string) => gateway.get(path, { key }),
    status: async (requestId: string) =>
      (
        await gateway.database.rows<{ status: string }>("select status from payment_requests where id = $1", [
          requestId,
        ])
      )[0]?.status,
  };
}

/** Seconds by which a timestamp is ahead of real time. */
const ahead = (moment: string) => (Date.parse(moment) - Date.now()) / 1_000;
const isNear = (seconds: number, expected: number) => Math.abs(seconds - expected) < 10;

describe("contract 9: the sandbox clock", () => {
  test("advances by the given seconds, cumulatively", async () => {
    const mine = await merchant();
    const first = await mine.advance(3_600);
    assert.equal(first.status, 200);
    assert.deepEqual(Object.keys(first.body), ["currentDateTime", "result"]);
    assert.ok(isNear(ahead(first.body.currentDateTime), 3_600));
    assert.ok(isNear(ahead((await mine.advance(3_600)).body.currentDateTime), 7_200));
  });

  test("moves timestamps, expiry and events of everything created afterwards", async () => {
    const mine = await merchant();
    const early = await mine.create();
    await mine.advance(86_400 * 30);
    const late = await mine.create();
    assert.ok(isNear(ahead(early.createdDateTime), 0));
    assert.ok(isNear(ahead(late.createdDateTime), 86_400 * 30));
    assert.ok(isNear(ahead(late.expiryDateTime), 86_400 * 31));
    assert.ok(late.id > early.id);
    const [event] = (await mine.get(`/events?resourceid=${late.id}`)).body.events;
    assert.equal(event.created, late.createdDateTime);
    const between = await mine.get(
      `/paymentrequests?createdFrom=${new Date(Date.now() + 86_400_000).toISOString()}`,
    );
    assert.deepEqual(
      between.body.paymentRequests.map((one: { id: string }) => one.id),
      [late.id],
    );
  });

  test("validates an expiry against the merchant's own clock", async () => {
    const mine = await merchant();
    await mine.advance(86_400);
    const body = { ...CHECKOUT, expiryDateTime: new Date(Date.now() + 3_600_000).toISOString() };
    assertRefused(await gateway.post("/paymentrequests", body, { key: mine.key }), 400, [
      "V11110",
      "/expiryDateTime",
    ]);
  });

  test("expires a request that is due, without a read, and no other", async () => {
    const mine = await merchant();
    const short = await mine.create({ expiryDateTime: new Date(Date.now() + 120_000).toISOString() });
    const long = await mine.create();
    await mine.advance(60);
    assert.equal((await mine.get(`/paymentrequests/${short.id}`)).body.paymentRequestStatus, "created");
    await mine.advance(60);
    await eventually("the row is expired", async () => (await mine.status(short.id)) === "expired");
    assert.equal(await mine.status(long.id), "created");
    const expired = (await mine.get(`/paymentrequests/${short.id}`)).body;
    assert.ok(expired.updatedDateTime >= expired.expiryDateTime);
  });

  test("a read right after an advance never shows a due request as open", async () => {
    const mine = await merchant();
    for (let round = 0; round < 5; round += 1) {
      const { id } = await mine.create();
      await mine.advance(86_400);
      assert.equal((await mine.get(`/paymentrequests/${id}`)).body.paymentRequestStatus, "expired");
    }
  });

  test("affects one merchant only: another merchant's time and jobs stay", async () => {
    const [mine, other] = [await merchant(), await merchant()];
    const theirs = await other.create();
    // The payout job of a new merchant runs at any moment, and is then due later by itself.
    const jobs = () =>
      gateway.database.rows<{ kind: string }>(
        "select kind, subject_id, due_at from jobs where merchant_id = $1 and kind <> 'payout_run' order by id",
        [other.id],
      );
    const before = await jobs();
    assert.deepEqual(
      before.map(({ kind }) => kind),
      ["payment_request_expire"],
    );
    await mine.create();
    await mine.advance(86_400 * 7);
    assert.deepEqual(await jobs(), before);
    assert.equal((await other.get(`/paymentrequests/${theirs.id}`)).body.paymentRequestStatus, "created");
    assert.ok(isNear(ahead((await other.create()).createdDateTime), 0));
    assert.ok(isNear(ahead((await other.advance(1)).body.currentDateTime), 1));
  });

  test("applies on other nodes and survives a restart", async () => {
    const mine = await merchant();
    const second = await startTestGateway({ database: gateway.database });
    try {
      const { id } = await mine.create();
      const read = async () => (await second.get(`/paymentrequests/${id}`, { key: mine.key })).body;
      assert.equal((await read()).paymentRequestStatus, "created");
      await mine.advance(86_400);
      await eventually(
        "the second node shows the expiry",
        async () => (await read()).paymentRequestStatus === "expired",
      );
      const made = await second.post("/paymentrequests", CHECKOUT, { key: mine.key });
      assert.ok(isNear(ahead(made.body.createdDateTime), 86_400));
    } finally {
      await second.stop();
    }
    const third = await startTestGateway({ database: gateway.database });
    try {
      const made = await third.post("/paymentrequests", CHECKOUT, { key: mine.key });
      assert.ok(isNear(ahead(made.body.createdDateTime), 86_400));
      const further = await third.post("/sandbox/clock/advance", { seconds: 1 }, { key: mine.key });
      assert.ok(isNear(ahead(further.body.currentDateTime), 86_401));
    } finally {
      await third.stop();
    }
  });

  test("concurrent advances add up", async () => {
    const mine = await merchant();
    const moved = await Promise.all(Array.from({ length: 10 }, () => mine.advance(100)));
    assert.ok(moved.every((answer) => answer.status === 200));
    assert.ok(isNear(ahead((await mine.advance(1)).body.currentDateTime), 1_001));
  });

  test("moves a job's due time by exactly the same amount", async () => {
    const mine = await merchant();
    const { id } = await mine.create();
    const due = async () =>
      (
        await gateway.database.rows<{ due_at: Date }>("select due_at from jobs where subject_id = $1", [id])
      )[0]?.due_at.getTime() ?? 0;
    const before = await due();
    await mine.advance(1_000);
    assert.equal(await due(), before - 1_000_000);
  });

  test("moves each of many jobs and deliveries once, also when it is moved again meanwhile", async () => {
    const mine = await merchant();
    const { database } = gateway;
    const due = "'2050-01-01T00:00:00Z'::timestamptz + (n % 3000) * interval '1.000001 second'";
    await database.rows(
      `insert into jobs (kind, merchant_id, subject_id, due_at)
       select 'payment_request_expire', $1, 'pr_' || n, ${due} from generate_series(1, 12000) n`,
      [mine.id],
    );
    await database.rows(
      `insert into deliveries (merchant_id, event_id, webhook_id, due_at)
       select $1, 'evt_' || n, 'whk_' || n % 2, ${due} from generate_series(1, 11000) n`,
      [mine.id],
    );
    const moved = [await mine.advance(100), await mine.advance(50), await mine.advance(3_000)];
    assert.deepEqual(
      moved.map(({ status }) => status),
      [200, 200, 200],
    );
    await eventually("all moves are done", async () => {
      const left = "select from jobs where merchant_id = $1 and kind = 'sandbox_move_work'";
      return (await database.rows(left, [mine.id])).length === 0;
    });
    for (const [table, n] of [
      ["jobs", "substr(subject_id, 4)::int"],
      ["deliveries", "substr(event_id, 5)::int"],
    ] as const) {
      const rows = await database.rows(
        `select extract(epoch from ${due.replace("n %", `${n} %`)} - due_at)::float8 as seconds, count(*)::int as count
         from ${table} where merchant_id = $1 and due_at > '2040-01-01' group by 1`,
        [mine.id],
      );
      assert.deepEqual(rows, [{ seconds: 3_150, count: table === "jobs" ? 12_000 : 11_000 }]);
    }
  });

  for (const seconds of [1, 60, YEAR]) {
    test(`accepts ${seconds} seconds`, async () =>
      assert.equal((await (await merchant()).advance(seconds)).status, 200));
  }
  for (const seconds of [0, -1, 1.5, YEAR + 1, 1e15, "60", null, true, [1], undefined]) {
    test(`refuses ${JSON.stringify(seconds) ?? "a missing value"}`, async () =>
      assertRefused(await (await merchant()).advance(seconds), 400, ["V11500", "/seconds"]));
  }

  test("accepts only the field seconds and requires a body", async () => {
    const { key } = await merchant();
    const answer = await gateway.post("/sandbox/clock/advance", { seconds: 1, minutes: 1 }, { key });
    assertRefused(answer, 400, ["V11003", "/minutes"]);
    assertRefused(await gateway.post("/sandbox/clock/advance", undefined, { key }), 400, ["V11005", ""]);
  });

  test("advances up to 20 years ahead, where the API still works", async () => {
    const mine = await merchant();
    for (let year = 0; year < 20; year += 1) assert.equal((await mine.advance(YEAR)).status, 200);
    assertRefused(await mine.advance(1), 409, ["V11501", "/seconds"]);
    const { id, createdDateTime } = await mine.create();
    assert.ok(isNear(ahead(createdDateTime), 20 * YEAR));
    assert.equal((await mine.get(`/paymentrequests/${id}`)).status, 200);
    assert.equal((await mine.get("/events")).body.count, 1);
  });

  test("is 404 in live mode, whatever the body", async () => {
    const live = await gateway.newMerchant({ mode: "live" });
    for (const body of [{ seconds: 1 }, { seconds: 0 }, {}]) {
      const answer = await gateway.post("/sandbox/clock/advance", body, { key: live.key });
      assertRefused(answer, 404, "V11011");
    }
    const [row] = await gateway.database.rows<{ clock_offset_ms: string }>(
      "select clock_offset_ms from merchants where id = $1",
      [live.id],
    );
    assert.equal(row?.clock_offset_ms, "0");
  });

  test("an advance does not change the account", async () => {
    const mine = await merchant();
    const before = (await mine.get("/management/account")).body;
    await mine.advance(100);
    assert.deepEqual((await mine.get("/management/account")).body, before);
  });
});
