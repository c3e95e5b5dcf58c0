import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { assertRefused } from "../../support/answers.ts";
import { payOnce, shopOf } from "../../support/checkout.ts";
import { eventually } from "../../support/eventually.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { onceWithin } from "../../support/once-within.ts";
import { type Received, startReceiver, withStatus } from "../../support/receiver.ts";
import { CHECKOUT } from "../../support/request-bodies.ts";
import { shopWithWebhook } from "../../support/webhooks.ts";

let gateway: TestGateway;
before(async () => {
  gateway = await startTestGateway();
});
after(() => gateway.stop());

const envelopeOf = ({ body }: Received) => JSON.parse(body);

describe("spec 6, contract 7: delivery", () => {
  test("an event is delivered within a second, identical to the event log", async () => {
    const shop = await shopWithWebhook(gateway);
    // The first delivery of a process opens files and connections, so later ones are timed.
    await shop.create();
    await shop.receiver.until(1);
    let count = 1;
    const { id, one } = await onceWithin(1_000, 20, async () => {
      const begun = Date.now();
      const id = await shop.create();
      count += 1;
      const one = (await shop.receiver.until(count)).at(-1) ?? assert.fail();
      return { tookMs: one.at - begun, id, one };
    });
    const envelope = envelopeOf(one);
    assert.deepEqual(Object.keys(envelope), ["id", "reference", "created", "version", "event", "payload"]);
    assert.deepEqual(
      [envelope.version, envelope.event, envelope.payload.id],
      ["1.0.0", "payment_requests", id],
    );
    const { result, ...logged } = (await shop.get(`/events/${envelope.id}`)).body;
    assert.deepEqual(logged, envelope);
    assert.deepEqual((await shop.get(`/paymentrequests/${id}`)).body, envelope.payload);
    const [row] = await gateway.database.rows<{ body: string }>("select body from events where id = $1", [
      envelope.id,
    ]);
    assert.equal(one.body, row?.body);
    assert.equal(one.headers["content-type"], "application/json; charset=utf-8");
    assert.ok(result);
  });

  test("contract 7: `*` receives every event, beside a subscription to one event value, which receives its own", async () => {
    const shop = await shopWithWebhook(gateway);
    const everything = await startReceiver();
    const made = await shop.post("/webhooks", { event: "*", url: everything.url });
    assert.deepEqual([made.status, made.body.event], [200, "*"]);
    assertRefused(await shop.post("/webhooks", { event: "*", url: everything.url }), 409, [
      "V11910",
      "/event",
    ]);
    await shop.post("/customers", { name: "Ada Lovelace", email: "ada@shop.example" });
    await payOnce(shopOf(gateway, shop.key));
    const events = (await shop.get("/events")).body.events.map(({ id }: { id: string }) => id);
    assert.equal(events.length, 5);
    const all: readonly { id: string; event: string }[] = (await everything.until(5)).map(envelopeOf);
    assert.deepEqual(all.map(({ id }) => id).toSorted(), events.toSorted());
    assert.deepEqual([...new Set(all.map(({ event }) => event))].toSorted(), [
      "customers",
      "payment_requests",
      "transactions",
    ]);
    const requests = (await shop.receiver.until(2)).map(envelopeOf);
    assert.ok(requests.every(({ event }) => event === "payment_requests"));
    const both = requests[0]?.id;
    const { deliveries } = (await shop.get(`/events/${both}/deliveries`)).body;
    assert.equal(new Set(deliveries.map((one: { webhookId: string }) => one.webhookId)).size, 2);
    await everything.close();
  });

  test("a disabled `*` receives nothing; enabled, it receives what is redelivered, once per event", async () => {
    const shop = await shopWithWebhook(gateway);
    const everything = await startReceiver();
    const { id } = (await shop.post("/webhooks", { event: "*", url: everything.url })).body;
    await shop.put(`/webhooks/${id}`, { status: "disabled" });
    await shop.create();
    const [first] = (await shop.receiver.until(1)).map(envelopeOf);
    const { deliveries } = (await shop.get(`/events/${first.id}/deliveries`)).body;
    assert.equal(deliveries.length, 1);
    await shop.put(`/webhooks/${id}`, { status: "active" });
    const period = { createdFrom: "2000-01-01T00:00:00Z", createdTo: "2999-01-01T00:00:00Z" };
    assert.equal((await shop.post("/events/redeliver", period)).body.count, 2, "one for each subscription");
    assert.deepEqual((await everything.until(1)).map(envelopeOf), [first]);
    await shop.receiver.until(2);
    assert.equal((await shop.post(`/events/${first.id}/redeliver`, {})).status, 200);
    await everything.until(2);
    await shop.receiver.until(3);
    await everything.close();
  });

  test("a subscription receives only its event value of its own merchant", async () => {
    const shop = await shopWithWebhook(gateway);
    const transactions = await startReceiver();
    assert.equal(
      (await shop.post("/webhooks", { event: "transactions", url: transactions.url })).status,
      200,
    );
    const other = await shopWithWebhook(gateway);
    const { transactionId, requestId } = await payOnce(shopOf(gateway, shop.key));
    const requests = (await shop.receiver.until(2)).map(envelopeOf);
    const payments = (await transactions.until(2)).map(envelopeOf);
    assert.ok(
      requests.every(({ event, payload }) => event === "payment_requests" && payload.id === requestId),
    );
    assert.ok(
      payments.every(({ event, payload }) => event === "transactions" && payload.id === transactionId),
    );
    assert.equal(requests.at(-1).payload.transactionResult.id, transactionId);
    await other.create();
    await other.receiver.until(1);
    assert.deepEqual(
      [requests.length, payments.length, other.receiver.received.length],
      [shop.receiver.received.length, transactions.received.length, 1],
    );
  });

  test("a subscription receives events published after it while it is active", async () => {
    const { key } = await gateway.newMerchant();
    await gateway.post("/paymentrequests", CHECKOUT, { key });
    const receiver = await startReceiver();
    const { id } = (
      await gateway.post("/webhooks", { event: "payment_requests", url: receiver.url }, { key })
    ).body;
    const create = async () => (await gateway.post("/paymentrequests", CHECKOUT, { key })).body.id;
    const first = await create();
    await receiver.until(1);
    await gateway.put(`/webhooks/${id}`, { status: "disabled" }, { key });
    await create();
    await gateway.put(`/webhooks/${id}`, { status: "active" }, { key });
    const again = await create();
    await receiver.until(2);
    assert.deepEqual(
      receiver.received.map((one) => envelopeOf(one).payload.id),
      [first, again],
    );
  });

  test("a new URL is used from the next event on", async () => {
    const shop = await shopWithWebhook(gateway);
    const next = await startReceiver();
    await shop.create();
    await shop.receiver.until(1);
    await shop.put(`/webhooks/${shop.webhookId}`, { url: `${next.url}?a=b` });
    await shop.create();
    const [one] = await next.until(1);
    assert.equal(one?.path, "/hook?a=b");
    assert.equal(shop.receiver.received.length, 1);
  });

  test("at most four deliveries are in flight per endpoint, even if subscriptions share it", async () => {
    const held: (() => void)[] = [];
    const shop = await shopWithWebhook(gateway, (response) => {
      held.push(() => response.end());
    });
    assert.equal(
      (await shop.post("/webhooks", { event: "transactions", url: shop.receiver.url })).status,
      200,
    );
    await Promise.all(Array.from({ length: 3 }, () => payOnce(shopOf(gateway, shop.key))));
    const total = 3 * (2 + 2);
    await eventually("four deliveries are in flight", async () => held.length === 4);
    for (let done = 0; done < total; done += 1) {
      await eventually("another delivery is in flight", async () => held.length > 0);
      held.shift()?.();
    }
    await shop.receiver.until(total);
    assert.equal(shop.receiver.mostAtOnce(), 4);
  });

  test("while one version of a resource is in flight, its next version waits, and other resources do not", async () => {
    // A delivery is in flight for ten seconds at most.
    const { shop, held, first, other } = await onceWithin(9_000, 10, async () => {
      const held = new Map<string, () => void>();
      const shop = await shopWithWebhook(gateway, (response, { body }) => {
        held.set(JSON.parse(body).id, () => response.end());
      });
      const begun = Date.now();
      const first = await shop.create();
      await shop.receiver.until(1);
      await shop.cancel(first);
      const other = await shop.create();
      await shop.receiver.until(2);
      return { tookMs: Date.now() - begun, shop, held, first, other };
    });
    const order = () =>
      shop.receiver.received.map((one) => [
        envelopeOf(one).payload.id,
        envelopeOf(one).payload.paymentRequestStatus,
      ]);
    assert.deepEqual(order(), [
      [first, "created"],
      [other, "created"],
    ]);
    for (const release of held.values()) release();
    await shop.receiver.until(3);
    assert.deepEqual(order()[2], [first, "cancelled"]);
    for (const release of held.values()) release();
  });

  test("an attempt shows its time, status and latency", async () => {
    const shop = await shopWithWebhook(gateway, withStatus(204));
    const event = await shop.eventOf(await shop.create());
    const done = await shop.untilAttempt(event, 1, "delivered");
    assert.deepEqual(Object.keys(done), [
      ...["webhookId", "attempt", "status", "httpStatus", "latencyMs", "error"],
      ...["attemptedDateTime", "nextAttemptDateTime"],
    ]);
    assert.deepEqual(
      [done.webhookId, done.httpStatus, done.error, done.nextAttemptDateTime],
      [shop.webhookId, 204, null, null],
    );
    assert.ok((done.latencyMs ?? -1) >= 0);
    assert.ok(Math.abs(Date.parse(done.attemptedDateTime ?? "") - Date.now()) < 10_000);
  });
});

describe("contract 7: test ping", () => {
  test("is signed like an event, has event ping, and returns its outcome", async () => {
    const shop = await shopWithWebhook(gateway);
    const answer = await shop.post(`/webhooks/${shop.webhookId}/test`);
    assert.equal(answer.status, 200);
    const [one] = await shop.receiver.until(1);
    assert.ok(one);
    const envelope = envelopeOf(one);
    assert.deepEqual(Object.keys(envelope), ["id", "reference", "created", "version", "event", "payload"]);
    assert.deepEqual([envelope.event, envelope.payload.id], ["ping", shop.webhookId]);
    const { post } = (await shop.get("/openapi.json")).body.webhooks.ping;
    const { properties } = post.requestBody.content["application/json"].schema;
    assert.deepEqual(properties.event.enum, ["ping"]);
    assert.deepEqual(properties.payload, { $ref: "#/components/schemas/Webhook" });
    assert.equal(one.headers["webhook-id"], envelope.id);
    const { latencyMs, ...rest } = answer.body;
    assert.deepEqual(rest, {
      id: envelope.id,
      webhookId: shop.webhookId,
      event: "ping",
      status: "delivered",
      httpStatus: 200,
      error: null,
      result: { mode: "sandbox", status: "ok" },
    });
    assert.ok(latencyMs >= 0);
    assert.equal((await shop.get(`/events/${envelope.id}`)).status, 404);
  });

  test("allows four concurrent pings and refuses a fifth", async () => {
    const held: (() => void)[] = [];
    const shop = await shopWithWebhook(gateway, (response) => {
      held.push(() => response.end());
    });
    const ping = () => shop.post(`/webhooks/${shop.webhookId}/test`);
    const four = Array.from({ length: 4 }, ping);
    await eventually("four pings are in flight", async () => held.length === 4);
    assertRefused(await ping(), 409, "V11911");
    for (const release of held.splice(0)) release();
    assert.deepEqual(
      new Set((await Promise.all(four)).map(({ body }) => body.status)),
      new Set(["delivered"]),
    );
    const again = ping();
    await eventually("another ping is in flight", async () => held.length === 1);
    held[0]?.();
    assert.equal((await again).status, 200);
  });

  test("a failed ping is a 200 response and changes nothing", async () => {
    const shop = await shopWithWebhook(gateway, withStatus(410));
    const refused = (await shop.post(`/webhooks/${shop.webhookId}/test`)).body;
    assert.deepEqual([refused.status, refused.httpStatus, refused.error], ["failed", 410, "http_error"]);
    shop.receiver.answer(withStatus(302, { location: "http://127.0.0.1:65001/" }));
    const moved = (await shop.post(`/webhooks/${shop.webhookId}/test`)).body;
    assert.deepEqual([moved.httpStatus, moved.error], [302, "redirect_not_followed"]);
    await shop.receiver.close();
    const down = (await shop.post(`/webhooks/${shop.webhookId}/test`)).body;
    assert.deepEqual([down.httpStatus, down.error], [null, "connection_refused"]);
    assert.equal((await shop.get(`/webhooks/${shop.webhookId}`)).body.status, "active");
  });
});
