import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { type Body, CHECKOUT } from "./sample-requests.ts";

let gateway: TestGateway;
let key: string;
before(async () => {
  // A node without a worker.
  const environment = { TIDEGATE_ROLES: "api", TIDEGATE_RATE_LIMIT: "0" };
  gateway = await startTestGateway({ environment });
});
after(() => gateway.stop());
beforeEach(async () => {
  key = (await gateway.newMerchant()).key;
});

const make = async (body: object = {}) =>
  (await gateway.post("/paymentrequests", { ...CHECKOUT, ...body }, { key })).body;
const advance = (seconds: number) => gateway.post("/sandbox/clock/advance", { seconds }, { key });
const list = async (query = "") => (await gateway.get(`/paymentrequests${query}`, { key })).body;
const eventsOf = async (id: string) => (await gateway.get(`/events?resourceid=${id}`, { key })).body.events;
const statuses = (page: Body) => page.paymentRequests.map((request: Body) => request.paymentRequestStatus);

/** Leases the jobs as a worker that died would: no other worker sees them until the lease ends. */
const leaseJobs = () => gateway.database.rows("update jobs set due_at = now() + interval '1 hour'");

const DAY = 86_400;

describe("contract 3: a read after its expiry never shows a request as created", () => {
  test("a request is created before its expiry and expired from then on, with one event", async () => {
    const made = await make();
    await advance(DAY - 30);
    assert.equal(
      (await gateway.get(`/paymentrequests/${made.id}`, { key })).body.paymentRequestStatus,
      "created",
    );
    await advance(30);
    const first = (await gateway.get(`/paymentrequests/${made.id}`, { key })).body;
    assert.equal(first.paymentRequestStatus, "expired");
    assert.deepEqual((await gateway.get(`/paymentrequests/${made.id}`, { key })).body, first);
    const events = await eventsOf(made.id);
    assert.equal(events.length, 2);
    assert.deepEqual(events[0].payload, first);
  });

  test("20 concurrent reads show the same and write one event", async () => {
    const made = await make();
    await advance(DAY);
    const reads = await Promise.all(
      Array.from({ length: 20 }, () => gateway.get(`/paymentrequests/${made.id}`, { key })),
    );
    for (const { body } of reads) assert.deepEqual(body, reads[0]?.body);
    assert.equal(reads[0]?.body.paymentRequestStatus, "expired");
    assert.equal((await eventsOf(made.id)).length, 2);
  });

  test("another merchant's clock has no effect", async () => {
    const made = await make();
    const other = (await gateway.newMerchant()).key;
    await gateway.post("/sandbox/clock/advance", { seconds: 2 * DAY }, { key: other });
    assert.equal(
      (await gateway.get(`/paymentrequests/${made.id}`, { key })).body.paymentRequestStatus,
      "created",
    );
    assert.deepEqual(statuses(await list()), ["created"]);
  });

  test("a list shows all due requests as expired, under either filter", async () => {
    for (let index = 0; index < 5; index += 1) await make();
    await advance(DAY);
    assert.equal((await list("?status=created")).count, 0);
    assert.deepEqual(
      statuses(await list()),
      Array.from({ length: 5 }, () => "expired"),
    );
    assert.equal((await list("?status=expired")).count, 5);
  });

  test("a list shows requests that are not yet due as created", async () => {
    const soon = new Date(Date.now() + 120_000).toISOString();
    const ending = await make({ expiryDateTime: soon });
    const staying = await make();
    await advance(180);
    const ids = (page: Body) => page.paymentRequests.map((request: Body) => request.id);
    assert.deepEqual(ids(await list("?status=created")), [staying.id]);
    assert.deepEqual(ids(await list("?status=expired")), [ending.id]);
    assert.deepEqual(statuses(await list()), ["created", "expired"]);
  });

  for (const query of [
    "",
    "?status=created",
    "?status=created&limit=1",
    "?limit=2",
    "?reference=same&limit=1",
  ]) {
    test(`after a worker leased the jobs and died, a list (${query || "all"}) still shows none as created`, async () => {
      for (let index = 0; index < 7; index += 1) await make({ reference: "same" });
      await advance(DAY);
      await leaseJobs();
      const page = await list(query);
      assert.ok(!statuses(page).includes("created"), JSON.stringify(statuses(page)));
      if (query.includes("status=created")) assert.equal(page.count, 0);
    });
  }

  test("each request that a list expires has one event for it", async () => {
    const made = [await make(), await make(), await make()];
    await advance(DAY);
    await Promise.all([list(), list("?status=expired"), list("?status=created"), list()]);
    for (const { id } of made) assert.equal((await eventsOf(id)).length, 2);
  });

  test("a request cancelled in time stays cancelled", async () => {
    const made = await make();
    await gateway.post(`/paymentrequests/${made.id}/cancel`, undefined, { key });
    await advance(2 * DAY);
    assert.deepEqual(statuses(await list()), ["cancelled"]);
    assert.equal((await list("?status=expired")).count, 0);
    assert.equal((await eventsOf(made.id)).length, 2);
  });

  test("timestamps follow the merchant's clock", async () => {
    await advance(30 * DAY);
    const made = await make();
    const ahead = Date.parse(made.createdDateTime) - Date.now();
    assert.ok(Math.abs(ahead - 30 * DAY * 1000) < 60_000);
    assert.equal(Date.parse(made.expiryDateTime) - Date.parse(made.createdDateTime), DAY * 1000);
  });
});
