import assert from "node:assert/strict";
import type { Socket } from "node:net";
import { after, afterEach, before, describe, test } from "node:test";
import type { LogFields } from "../../../src/platform/log/log.ts";
import {
  CARD,
  callApi,
  type Frame,
  getTransaction,
  ok,
  openFrame,
  payOnce,
  type Shop,
  shopOf,
} from "../../support/checkout.ts";
import { formFields, signedIn } from "../../support/dashboard.ts";
import { eventually } from "../../support/eventually.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { payIdShop } from "../../support/payid.ts";
import { openSocket } from "../../support/raw-http.ts";
import { gate, type Point, watchContext } from "../../support/watched-context.ts";

const REQUEST = {
  reference: "order-1001",
  payment: { amount: 3000, currencyCode: "AUD", description: "Two tickets" },
  paymentMethods: ["card"],
  transactionRequest: {},
};

/** Work that the test has stopped at a point. */
type Hold = ReturnType<typeof gate> & { readonly point: Point; takesMore: boolean; waiting: number };

/** With a limit of 8, lists are refused from 4 requests on, new payment requests from 6. */
describe("a gateway past its limit of requests", () => {
  let gateway: TestGateway;
  let merchantId: string;
  let shop: Shop;
  let frame: Frame;
  const holds: Hold[] = [];
  const logged: LogFields[] = [];
  const noLine = () => {};

  before(async () => {
    gateway = await startTestGateway({
      log: { debug: noLine, info: noLine, error: noLine, warn: (fields) => logged.push(fields) },
      environment: { TIDEGATE_REQUESTS_AT_MOST: "8" },
      wrapContext: (ctx) =>
        watchContext(ctx, async (point) => {
          const hold = holds.find((one) => one.point === point && one.takesMore);
          if (hold === undefined) return;
          hold.waiting += 1;
          await hold.opened;
        }),
    });
    const merchant = await gateway.newMerchant();
    merchantId = merchant.id;
    shop = shopOf(gateway, merchant.key);
  });
  after(() => gateway.stop());
  afterEach(() => {
    for (const { open } of holds.splice(0)) open();
  });

  const list = () => callApi(shop, "GET", "/paymentrequests");
  const create = (key?: string) =>
    callApi(
      { ...shop, headers: key === undefined ? {} : { "idempotency-key": key } },
      "POST",
      "/paymentrequests",
      REQUEST,
    );
  const rows = async () => {
    const [counts] = await gateway.database.rows(
      `select (select count(*)::int from payment_requests) as requests, (select count(*)::int from events) as events,
         (select count(*)::int from jobs) as jobs, (select count(*)::int from transactions) as transactions,
         (select count(*)::int from idempotency_keys) as keys`,
    );
    return counts;
  };

  /** From now on the gateway's work stops at that point. */
  function holdAt(point: Point): Hold {
    const hold = { point, takesMore: true, waiting: 0, ...gate() };
    holds.push(hold);
    return hold;
  }

  /** Has that many requests in work, each stopped before its read; the function lets them finish. */
  async function keepBusy(count: number): Promise<() => Promise<void>> {
    frame = await openFrame(shop);
    const hold = holdAt("token_find_session:before");
    const calls = Array.from({ length: count }, () => frame.outcome());
    await eventually("they are all in work", async () => hold.waiting === count);
    hold.takesMore = false;
    return async () => {
      hold.open();
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

  const refusals = async () =>
    (await (await fetch(`${shop.baseUrl}/metrics`)).text()).match(/^tidegate_overload_total.*/gm);

  test("refuses lists first, and takes them again by itself", async () => {
    const none = ["money", "create", "list"].map((one) => `tidegate_overload_total{urgency="${one}"} 0`);
    assert.deepEqual(await refusals(), none, "an alert sees the first refusal as a change");
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

  test("takes captures and refunds, of the API and the dashboard, while it refuses new payment requests", async () => {
    const authorise = () => payOnce(shop, { category: { captureType: "manual" } });
    const [open, paid] = [await authorise(), await payOnce(shop)];
    const [openOnPage, paidOnPage] = [await authorise(), await payOnce(shop)];
    const staff = await signedIn(gateway, { role: "staff", merchantId });
    const form = async ({ transactionId }: typeof paid, action: string) => {
      const path = `/dashboard/${merchantId}/transactions/${transactionId}/${action}`;
      const page = await staff.get(`${path}?amount=10.00`);
      return { path, fields: formFields(page.text, path) };
    };
    const forms = [await form(openOnPage, "capture"), await form(paidOnPage, "refund")];
    const finish = await keepBusy(6);
    assertRefused(await create());
    ok(await callApi(shop, "POST", `/transactions/${open.transactionId}/capture`, {}));
    ok(await callApi(shop, "POST", `/transactions/${paid.transactionId}/refunds`, {}));
    for (const { path, fields } of forms) assert.equal((await staff.post(path, fields)).status, 303, path);
    // Control: other forms of the dashboard are refused.
    assert.equal((await staff.post(`/dashboard/${merchantId}/sandbox/payment`, {})).status, 503);
    await finish();
    assert.equal((await getTransaction(shop, openOnPage.transactionId)).payment.capturedAmount, 1000);
    const { refunds } = ok(await callApi(shop, "GET", `/transactions/${paidOnPage.transactionId}/refunds`));
    assert.equal(refunds[0].payment.amount, 1000);
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

  test("the log has the id of every refused request", async () => {
    const finish = await keepBusy(4);
    const sent = Array.from({ length: 250 }, (_, at) => `refused-${at}`);
    for (const id of sent)
      assert.equal((await fetch(`${shop.baseUrl}/events`, { headers: { "x-request-id": id } })).status, 503);
    await finish();
    await eventually("all are logged", async () => {
      const found = new Set(logged.flatMap(({ requestIds = [] }) => requestIds));
      return sent.every((id) => found.has(id));
    });
    const lines = logged.filter(({ requestIds = [] }) => requestIds.some((id) => id.startsWith("refused-")));
    assert.ok(lines.every(({ count = 0, requestIds }) => count === requestIds?.length && count <= 100));
  });

  test("does not count payments that wait for the bank", async () => {
    const frames: Frame[] = [];
    while (frames.length < 8) frames.push(await openFrame(shop));
    const hold = holdAt("authorise:made");
    const paying = frames.map((one) => one.pay());
    await eventually("all are at the bank", async () => hold.waiting === frames.length);
    assert.equal((await list()).status, 200);
    assert.equal((await create()).status, 200);
    // Each of them leaves out itself alone.
    const finish = await keepBusy(4);
    assertRefused(await list());
    await finish();
    hold.open();
    for (const answer of await Promise.all(paying)) assert.equal(ok(answer).state, "approved");
  });

  test("counts requests as before while payments whose payers have left are at the bank", async () => {
    const frames: Frame[] = [];
    while (frames.length < 4) frames.push(await openFrame(shop));
    const hold = holdAt("authorise:made");
    const leaving = new AbortController();
    const paying = frames.map(({ session, shown }) =>
      fetch(`${shop.hostedUrl.replace("localhost", "127.0.0.1")}/checkout/pay`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-checkout-session": session },
        body: JSON.stringify({ method: "card", card: CARD, total: shown.payment.amount, consent: false }),
        signal: leaving.signal,
      }),
    );
    await eventually("all are at the bank", async () => hold.waiting === frames.length);
    leaving.abort();
    for (const one of paying) await assert.rejects(one, { name: "AbortError" });
    const finish = await keepBusy(4);
    assertRefused(await list());
    await finish();
    hold.open();
    for (const one of frames)
      await eventually("it is paid all the same", async () => ok(await one.outcome()).state === "approved");
  });

  test("counts requests as before while jobs wait for a bank", async () => {
    const payIds = payIdShop(gateway, shop.key);
    const hold = holdAt("release:made");
    for (let turn = 0; turn < 8; turn += 1) ok(await payIds.cancel((await payIds.request()).id));
    await eventually("all jobs are at the bank", async () => hold.waiting === 8);
    const finish = await keepBusy(4);
    assertRefused(await list());
    await finish();
    assert.equal((await list()).status, 200);
    hold.open();
  });

  test("does not count bodies that do not arrive", async () => {
    const sockets: Socket[] = [];
    await eventually("at first they count", async () => {
      const more = await Promise.all(Array.from({ length: 8 }, () => openSocket(shop.baseUrl)));
      sockets.push(...more);
      for (const socket of more) {
        socket.write(
          `POST /paymentrequests HTTP/1.1\r\nHost: localhost\r\nX-Api-Key: ${shop.key}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
        );
      }
      for (let turn = 0; turn < 5; turn += 1) if ((await list()).status === 503) return true;
      return false;
    });
    await eventually("lists are taken", async () => (await list()).status === 200);
    for (const socket of sockets) socket.destroy();
  });
});
