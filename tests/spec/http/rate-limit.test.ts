import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { instant } from "../../../src/kernel/time.ts";
import { assertRefused } from "../../support/answers.ts";
import { type Answer, startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { CHECKOUT } from "../../support/request-bodies.ts";

const limits = (answer: Answer) =>
  ["limit", "remaining", "reset"].map((name) => answer.headers.get(`ratelimit-${name}`));

describe("contract 2: rate limit per API key", () => {
  let gateway: TestGateway;
  // The clock moves only when a test moves it, so that the number of allowed requests is exact.
  let now = Date.now();
  before(async () => {
    gateway = await startTestGateway({ environment: { TIDEGATE_RATE_LIMIT: "3" }, now: () => instant(now) });
  });
  after(() => gateway.stop());

  test("allows a burst of twice the limit, then returns 429 until Retry-After has passed", async () => {
    const burst = [];
    for (let index = 0; index < 6; index += 1) burst.push(await gateway.get("/paymentrequests"));
    assert.deepEqual(
      burst.map((answer) => answer.status),
      Array(6).fill(200),
    );
    assert.deepEqual(
      burst.map((answer) => limits(answer)[1]),
      ["3", "3", "3", "2", "1", "0"],
    );
    assert.deepEqual(limits(burst[0] as Answer), ["3", "3", "1"]);

    const refused = await gateway.post("/paymentrequests", CHECKOUT);
    assertRefused(refused, 429, "V11013");
    assert.equal(refused.headers.get("retry-after"), "1");
    assert.deepEqual(limits(refused), ["3", "0", "1"]);
    assert.equal(refused.body.result.mode, "sandbox");
    assert.equal((await gateway.database.rows("select 1 from payment_requests")).length, 0);

    now += 1_000;
    for (let index = 0; index < 3; index += 1) assert.equal((await gateway.get("/events")).status, 200);
    assertRefused(await gateway.get("/events"), 429, "V11013");
  });

  test("a refused request does not count", async () => {
    now += 60_000;
    for (let index = 0; index < 6; index += 1) await gateway.get("/events");
    for (let index = 0; index < 20; index += 1) assert.equal((await gateway.get("/events")).status, 429);
    now += 334;
    assert.equal((await gateway.get("/events")).status, 200);
    assert.equal((await gateway.get("/events")).status, 429);
  });

  test("one key's limit does not affect other keys or the health checks", async () => {
    now += 60_000;
    const other = await gateway.newMerchant();
    for (let index = 0; index < 8; index += 1) await gateway.get("/events");
    assert.equal((await gateway.get("/events")).status, 429);
    assert.equal((await gateway.get("/events", { key: other.key })).status, 200);
    assert.equal((await gateway.get("/healthz")).status, 200);
    assert.equal((await gateway.get("/readyz")).status, 200);
  });

  test("a clock that steps back neither lifts nor extends the limit", async () => {
    now += 60_000;
    for (let index = 0; index < 6; index += 1) await gateway.get("/events");
    now -= 30_000;
    assert.equal((await gateway.get("/events")).status, 429);
    now += 1_000;
    assert.equal((await gateway.get("/events")).status, 200);
  });
});

describe("contract 2: rate limit 0", () => {
  test("disables the limit and its headers", async () => {
    const gateway = await startTestGateway({ environment: { TIDEGATE_RATE_LIMIT: "0" } });
    try {
      const answers = await Promise.all(
        Array.from({ length: 300 }, () => gateway.get("/management/account")),
      );
      assert.ok(answers.every((answer) => answer.status === 200));
      assert.deepEqual(limits(answers[0] as Answer), [null, null, null]);
    } finally {
      await gateway.stop();
    }
  });
});
