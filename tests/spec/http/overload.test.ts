import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { callApi, type Frame, ok, openFrame, type Shop, shopOf } from "../../support/checkout.ts";
import { eventually } from "../../support/eventually.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { openSocket } from "../../support/raw-http.ts";
import { gate, type Point, watchContext } from "../../support/watched-context.ts";

const REQUEST = {
  reference: "order-1001",
  payment: { amount: 3000, currencyCode: "AUD", description: "Two tickets" },
  paymentMethods: ["card"],
  transactionRequest: {},
};

/** With a limit of 8, lists are refused from 4 requests on, new payment requests from 6. */
describe("a gateway past its limit of requests", () => {
  let gateway: TestGateway;
  let shop: Shop;
  let frame: Frame;
  let held: Point | undefined;
  let holding = gate();
  let waiting = 0;

  before(async () => {
    gateway = await startTestGateway({
      environment: { TIDEGATE_REQUESTS_AT_MOST: "8" },
      wrapContext: (ctx) =>
        watchContext(ctx, async (point) => {
          if (point !== held) return;
          waiting += 1;
          await holding.opened;
          waiting -= 1;
        }),
    });
    shop = shopOf(gateway);
  });
  after(() => gateway.stop());
  afterEach(() => {
    held = undefined;
    holding.open();
  });

  const list = () => callApi(shop, "GET", "/paymentrequests");
  const create = (key?: string) =>
    callApi(shop, "POST", "/paymentrequests", REQUEST, key === undefined ? {} : { "idempotency-key": key });
  const rows = async () => {
    const [counts] = await gateway.database.rows(
      `select (select count(*)::int from payment_requests) as requests, (select count(*)::int from events) as events,
         (select count(*)::int from jobs) as jobs, (select count(*)::int from transactions) as transactions,
         (select count(*)::int from idempotency_keys) as keys`,
    );
    return counts;
  };

  /** Has that many requests in work, each stopped before its read; the function lets them finish. */
  async function keepBusy(count: number): Promise<() => Promise<void>> {
    frame = await openFrame(shop);
    holding = gate();
    held = "token_find_session:before";
    const calls = Array.from({ length: count }, () => frame.outcome());
    await eventually("they are all in work", async () => waiting === count);
    held = undefined;
    return async () => {
      holding.open();
      for (const answer of await Promise.all(calls)) assert.equal(answer.status, 200);
    };
  }

  function assertRefused(answer: Awaited<ReturnType<typeof list>>): void {
    assert.equal(answer.status, 503);
    assert.match(answer.headers.get("retry-after") ?? "", /^[1-9]\d*$/);
    assert.match(answer.headers.get("x-request-id") ?? "", /./);
    assert.equal(answer.body.result.status, "system_error");
    assert.equal(answer.body.result.codes.length, 1);
  }

  test("refuses lists first, and takes them again by itself", async () => {
    const finish = await keepBusy(4);
    assertRefused(await list());
    assert.equal((await create()).status, 200);
    await finish();
    assert.equal((await list()).status, 200);
  });

  test("then refuses new payment requests before anything is written, and still takes payments", async () => {
    const finish = await keepBusy(6);
    const earlier = await rows();
    assertRefused(await create("overload-1"));
    assert.deepEqual(await rows(), earlier);
    assert.equal(ok(await frame.pay()).state, "approved");
    await finish();
    assert.equal((await create("overload-1")).status, 200);
  });

  test("refuses payments last, before anything is written; the same payment goes through afterwards", async () => {
    const finish = await keepBusy(8);
    const earlier = await rows();
    assertRefused(await frame.pay());
    assert.deepEqual(await rows(), earlier);
    assert.equal((await callApi(shop, "GET", "/healthz")).status, 200);
    await finish();
    assert.equal(ok(await frame.pay()).state, "approved");
    const metrics = await (await fetch(`${shop.baseUrl}/metrics`)).text();
    assert.match(metrics, /^tidegate_overload_total\{urgency="money"\} [1-9]/m);
  });

  test("does not count payments that wait for the bank", async () => {
    const frames: Frame[] = [];
    while (frames.length < 8) frames.push(await openFrame(shop));
    holding = gate();
    held = "authorise:made";
    const paying = frames.map((one) => one.pay());
    await eventually("all are at the bank", async () => waiting === frames.length);
    assert.equal((await list()).status, 200);
    assert.equal((await create()).status, 200);
    holding.open();
    for (const answer of await Promise.all(paying)) assert.equal(ok(answer).state, "approved");
  });

  test("does not count bodies that do not arrive", async () => {
    const sockets = await Promise.all(Array.from({ length: 8 }, () => openSocket(shop.baseUrl)));
    for (const socket of sockets) {
      socket.write(
        `POST /paymentrequests HTTP/1.1\r\nHost: localhost\r\nX-Api-Key: ${shop.key}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
      );
    }
    await eventually("at first they count", async () => (await list()).status === 503);
    await eventually("lists are taken", async () => (await list()).status === 200);
    for (const socket of sockets) socket.destroy();
  });
});
