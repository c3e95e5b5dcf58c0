import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Id } from "../../../kernel/ids.ts";
import type { DueDelivery } from "../delivery.ts";
import { createEndpoints } from "./endpoints.ts";
import { createEventsInProgress } from "./events-in-progress.ts";
import { newEndpoint, newQueue, startRequest, takeStartable } from "./subscription-queue.ts";
import { createWindows } from "./windows.ts";

const subscription = (webhookId: string, merchantId = "mer_1") =>
  ({ webhookId, merchantId }) as { webhookId: Id<"webhook">; merchantId: Id<"merchant"> };
const queueOf = (webhookId: string, merchantId?: string) => newQueue(subscription(webhookId, merchantId));

/** As many as are kept. */
const MANY = 10_000;

describe("endpoints of deliveries", () => {
  test("one for each URL of a merchant, shared by its subscriptions", () => {
    const endpoints = createEndpoints(new Map());
    const [one, other, stranger] = [queueOf("a"), queueOf("b"), queueOf("c", "mer_2")];
    const endpoint = endpoints.of(one, "https://shop.example");
    assert.ok(endpoint);
    assert.equal(endpoints.of(other, "https://shop.example"), endpoint);
    assert.equal(endpoints.of(one, "https://shop.example"), endpoint);
    assert.notEqual(endpoints.of(stranger, "https://shop.example"), endpoint);
  });

  test("a subscription that moves has its new URL's, and without a URL none", () => {
    const endpoints = createEndpoints(new Map());
    const queue = queueOf("a");
    const before = endpoints.of(queue, "https://shop.example");
    assert.notEqual(endpoints.of(queue, "https://new.example"), before);
    assert.equal(endpoints.of(queue, undefined), undefined);
    assert.equal(endpoints.of(queue, "https://shop.example"), before);
  });

  test("when there are ten thousand, those without a queue or a request make room", () => {
    const used = queueOf("used");
    const endpoints = createEndpoints(new Map([["used", used]]));
    const passing = queueOf("passing");
    const at = (name: string) => endpoints.of(passing, `https://${name}.example`);
    const queued = endpoints.of(used, "https://queued.example");
    const [busy, idle] = [at("busy"), at("idle")];
    assert.ok(busy);
    busy.inFlight = 1;
    for (let n = 3; n < MANY; n += 1) at(`${n}`);
    assert.equal(at("idle"), idle);
    at("one-more");
    assert.equal(at("busy"), busy);
    assert.equal(at("queued"), queued);
    assert.notEqual(at("idle"), idle);
  });
});

describe("events in progress", () => {
  test("are those of a subscription that were added and are not done", () => {
    const events = createEventsInProgress();
    const [one, other] = [subscription("a"), subscription("b")];
    const due = (eventId: string) => ({ webhookId: one.webhookId, eventId }) as DueDelivery;
    events.add(one, [due("e1"), due("e2")]);
    events.add(one, [due("e2"), due("e3")]);
    events.remove(due("e1"));
    events.remove(due("e2"));
    assert.deepEqual(events.idsOf(one), ["e3"]);
    assert.deepEqual(events.idsOf(other), []);
    events.remove(due("e3"));
    assert.deepEqual(events.idsOf(one), []);
  });
});

describe("queues of deliveries", () => {
  test("a new one has nothing, waits for nothing and has no endpoint", () => {
    assert.deepEqual(queueOf("a"), {
      ...subscription("a"),
      deliveries: [],
      hasMore: false,
      waitsFor: "nothing",
      url: undefined,
      endpoint: undefined,
    });
  });

  test("gives its first delivery whose resource has no request, and keeps all others in their order", () => {
    const queue = queueOf("a");
    const due = (resourceId: string) => ({ resourceId }) as DueDelivery;
    queue.deliveries.push(...["busy", "free", "busy", "free"].map(due));
    const endpoint = newEndpoint();
    startRequest(endpoint, due("busy"));
    assert.equal(takeStartable(queue, endpoint)?.resourceId, "free");
    assert.deepEqual(
      queue.deliveries.map(({ resourceId }) => resourceId),
      ["busy", "busy", "free"],
    );
  });
});

describe("windows of requests", () => {
  test("256 requests are quick at once and 512 slow", () => {
    for (const [pace, limit] of [
      ["quick", 256],
      ["slow", 512],
    ] as const) {
      const windows = createWindows();
      const queue = queueOf("a");
      queue.endpoint = { ...newEndpoint(), isSuspect: pace === "slow" };
      windows.lineUp(queue);
      for (let n = 0; n < limit; n += 1) windows.enter(pace);
      assert.equal(windows.next(pace), undefined);
      windows.leave(pace);
      assert.equal(windows.next(pace), queue);
    }
  });

  test("are empty when neither has a request", () => {
    const windows = createWindows();
    assert.equal(windows.isEmpty(), true);
    windows.enter("quick");
    windows.enter("slow");
    assert.equal(windows.isEmpty(), false);
    windows.leave("quick");
    windows.leave("slow");
    assert.equal(windows.isEmpty(), true);
  });
});
