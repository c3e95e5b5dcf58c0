import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { assertRefused } from "../../support/answers.ts";
import { type Answer, startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { readPages } from "../../support/pages.ts";
import { CHECKOUT, HOSTED_PAGE, NO_SUCH_ID } from "../../support/request-bodies.ts";

let gateway: TestGateway;
before(async () => {
  gateway = await startTestGateway();
});
after(() => gateway.stop());

const create = async (body: object = CHECKOUT, key?: string) => {
  const answer = await gateway.post("/paymentrequests", body, key === undefined ? {} : { key });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
};
const eventsOf = async (id: string, key?: string) =>
  (await gateway.get(`/events?resourceid=${id}`, key === undefined ? {} : { key })).body.events;
const total = async () => (await gateway.database.rows("select 1 from events")).length;

describe("contract 7: each change writes one event in its transaction", () => {
  test("creation and cancellation write one event each, newest first, with the resource at that time", async () => {
    const created = await create({ ...CHECKOUT, reference: "order-7" });
    const cancelled = (await gateway.post(`/paymentrequests/${created.id}/cancel`)).body;
    const events = await eventsOf(created.id);
    assert.deepEqual(
      events.map((event: { payload: object }) => event.payload),
      [cancelled, created],
    );
    for (const event of events) {
      assert.deepEqual(Object.keys(event), ["id", "reference", "created", "version", "event", "payload"]);
      assert.match(event.id, /^evt_[0-9a-z]{29}$/);
      assert.equal(event.reference, "order-7");
      assert.equal(event.version, "1.0.0");
      assert.equal(event.event, "payment_requests");
      assert.equal(event.created, event.payload.updatedDateTime);
    }
    assert.ok(events[0].id > events[1].id);
  });

  test("expiry writes one event, however many readers detect it", async () => {
    const { key } = await gateway.newMerchant();
    const { id } = await create(CHECKOUT, key);
    await gateway.post("/sandbox/clock/advance", { seconds: 86_400 }, { key });
    await Promise.all(Array.from({ length: 10 }, () => gateway.get(`/paymentrequests/${id}`, { key })));
    const states = (await eventsOf(id, key)).map(
      (event: { payload: { paymentRequestStatus: string } }) => event.payload.paymentRequestStatus,
    );
    assert.deepEqual(states, ["expired", "created"]);
  });

  test("an event contains no logo", async () => {
    const { id } = await create(HOSTED_PAGE);
    const [event] = await eventsOf(id);
    assert.equal("logo" in event.payload.hostedPaymentPage, false);
    assert.equal("url" in event.payload.hostedPaymentPage, true);
  });

  test("a refused, read-only or repeated call writes no event", async () => {
    const { id } = await create();
    const idempotent = { headers: { "x-idempotency-key": "event-once" } };
    await gateway.post("/paymentrequests", CHECKOUT, idempotent);
    const before = await total();
    const calls: readonly (readonly [number, Promise<Answer>])[] = [
      [400, gateway.post("/paymentrequests", {})],
      [400, gateway.post("/paymentrequests", "{")],
      [401, gateway.post("/paymentrequests", CHECKOUT, { key: null })],
      [403, gateway.post("/paymentrequests", CHECKOUT, { headers: { origin: "null" } })],
      [404, gateway.post(`/paymentrequests/${NO_SUCH_ID}/cancel`)],
      [409, gateway.post("/paymentrequests", CHECKOUT, idempotent)],
      [200, gateway.get(`/paymentrequests/${id}`)],
      [200, gateway.get("/paymentrequests")],
      [200, gateway.get("/events")],
    ];
    for (const [status, call] of calls) assert.equal((await call).status, status);
    assert.equal(await total(), before);
    // Control: an accepted call writes exactly one event.
    await create();
    assert.equal(await total(), before + 1);
  });

  test("a second cancellation writes no event", async () => {
    const { id } = await create();
    const both = await Promise.all([1, 2].map(() => gateway.post(`/paymentrequests/${id}/cancel`)));
    assert.deepEqual(new Set(both.map((answer) => answer.status)), new Set([200, 409]));
    assert.equal((await eventsOf(id)).length, 2);
  });

  test("a request has one event per change, each with its own time", async () => {
    const rows = await gateway.database.rows<{ status: string; events: string; times: string }>(
      `select r.status, count(*) as events, count(distinct e.created_at) as times
       from payment_requests r join events e on e.merchant_id = r.merchant_id and e.resource_id = r.id
       group by r.id, r.status`,
    );
    assert.ok(rows.length > 5);
    for (const { status, events, times } of rows) {
      assert.equal(events, status === "created" ? "1" : "2");
      assert.equal(times, events);
    }
  });
});

describe("contract 7: GET /events/{id}", () => {
  test("returns the envelope and a result", async () => {
    const { id } = await create();
    const [listed] = await eventsOf(id);
    const { result, ...envelope } = (await gateway.get(`/events/${listed.id}`)).body;
    assert.deepEqual(envelope, listed);
    assert.deepEqual(result, { mode: "sandbox", status: "ok" });
  });

  test("returns the same event whatever happens to the resource later", async () => {
    const { id } = await create();
    const [first] = await eventsOf(id);
    const bytes = async () =>
      (await gateway.database.rows<{ body: string }>("select body from events where id = $1", [first.id]))[0]
        ?.body;
    const before = [await bytes(), (await gateway.get(`/events/${first.id}`)).body];
    await gateway.post(`/paymentrequests/${id}/cancel`);
    await gateway.put("/management/account", { name: "Another name", currencyCode: "NZD" });
    await gateway.post("/sandbox/clock/advance", { seconds: 5 });
    assert.deepEqual([await bytes(), (await gateway.get(`/events/${first.id}`)).body], before);
    assert.deepEqual(JSON.parse((await bytes()) ?? ""), first);
    await gateway.put("/management/account", { currencyCode: "AUD" });
  });

  test("another merchant's event is 404, like an unknown id", async () => {
    const { key } = await gateway.newMerchant();
    const { id } = await create();
    const [mine] = await eventsOf(id);
    const foreign = await gateway.get(`/events/${mine.id}`, { key });
    assertRefused(foreign, 404, "V11010");
    assert.deepEqual(
      (await gateway.get("/events/evt_01k0000000000aaaaaaaaaaaaaaaa", { key })).body,
      foreign.body,
    );
    assert.deepEqual((await gateway.get(`/events?resourceid=${id}`, { key })).body.events, []);
  });
});

describe("contract 7: GET /events", () => {
  let key: string;
  let ids: readonly string[];
  let other: string;
  before(async () => {
    key = (await gateway.newMerchant()).key;
    const made = [];
    for (let index = 0; index < 5; index += 1) made.push((await create(CHECKOUT, key)).id);
    ids = made;
    other = ids[2] ?? "";
    await gateway.post(`/paymentrequests/${other}/cancel`, undefined, { key });
  });

  const list = async (query: string) => {
    const answer = await gateway.get(`/events?${query}`, { key });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    assert.deepEqual(Object.keys(answer.body), ["count", "events", "nextCursor", "result"]);
    assert.equal(answer.body.count, answer.body.events.length);
    return answer.body;
  };

  test("lists all events of a merchant, newest first", async () => {
    const { events, nextCursor } = await list("");
    assert.equal(events.length, 6);
    assert.equal(nextCursor, null);
    const order: string[] = events.map((event: { id: string }) => event.id);
    assert.deepEqual(order, order.toSorted().toReversed());
    assert.equal(events[0].payload.id, other);
  });

  test("filters by event, by resource, and by both", async () => {
    assert.equal((await list("event=payment_requests")).count, 6);
    assert.equal((await list("event=transactions")).count, 0);
    assert.equal((await list(`resourceid=${other}`)).count, 2);
    assert.equal((await list(`resourceid=${other}&event=payment_requests`)).count, 2);
    assert.equal((await list(`resourceid=${other}&event=payouts`)).count, 0);
    assert.equal((await list("resourceid=unknown")).count, 0);
  });

  test("createdFrom is inclusive, createdTo is exclusive", async () => {
    const { events } = await list("");
    const moments: string[] = events.map((event: { created: string }) => event.created).sort();
    for (const moment of new Set(moments)) {
      const at = encodeURIComponent(moment);
      assert.equal((await list(`createdFrom=${at}`)).count, moments.filter((one) => one >= moment).length);
      assert.equal((await list(`createdTo=${at}`)).count, moments.filter((one) => one < moment).length);
    }
    assert.equal((await list("createdFrom=2000-01-01T00:00:00Z&createdTo=2001-01-01T00:00:00Z")).count, 0);
    assert.equal(
      (await list("createdFrom=2000-01-01T00:00:00%2B10:00&createdTo=2999-01-01T00:00:00Z")).count,
      6,
    );
  });

  test("pages contain every event once, at every page size, with and without filters", async () => {
    for (const filter of ["", "&event=payment_requests", `&resourceid=${other}`]) {
      const all = (await list(`limit=100${filter}`)).events.map((event: { id: string }) => event.id);
      for (const limit of [1, 2, 5, 6, 7]) {
        const pages = await readPages((cursor) => list(`limit=${limit}${filter}${cursor}`));
        for (const { events } of pages) assert.ok(events.length <= limit);
        assert.deepEqual(
          pages.flatMap(({ events }) => events.map((event: { id: string }) => event.id)),
          all,
        );
      }
    }
  });

  test("a cursor stays valid while new events arrive", async () => {
    const first = await list("limit=3");
    await create(CHECKOUT, key);
    const second = await list(`limit=100&cursor=${first.nextCursor}`);
    assert.equal(second.count, 3);
  });

  for (const [query, code, field] of [
    ["limit=0", "V11020", "/limit"],
    ["limit=101", "V11020", "/limit"],
    ["limit=1.5", "V11020", "/limit"],
    ["limit=", "V11020", "/limit"],
    ["limit=+5", "V11020", "/limit"],
    ["cursor=", "V11021", "/cursor"],
    ["cursor=nonsense", "V11021", "/cursor"],
    ["cursor=cHJfMDFrMDAwMDAwMDAwMGFhYWFhYWFhYWFhYWFhYWE", "V11021", "/cursor"],
    ["createdFrom=yesterday", "V11022", "/createdFrom"],
    ["createdFrom=2026-01-01", "V11022", "/createdFrom"],
    ["createdTo=2026-02-30T00:00:00Z", "V11023", "/createdTo"],
    ["createdFrom=2026-01-02T00:00:00Z&createdTo=2026-01-01T23:59:59.999Z", "V11023", "/createdTo"],
    ["event=ping", "V11026", "/event"],
    ["event=Payouts", "V11026", "/event"],
    [`resourceid=${"x".repeat(65)}`, "V11027", "/resourceid"],
    ["resourceid=", "V11027", "/resourceid"],
    ["resourcesId=x", "V11004", "/resourcesId"],
  ] as const) {
    test(`refuses ${query.slice(0, 60)}`, async () =>
      assertRefused(await gateway.get(`/events?${query}`, { key }), 400, [code, field]));
  }
});
