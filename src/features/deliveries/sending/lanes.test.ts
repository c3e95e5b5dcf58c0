import assert from "node:assert/strict";
import { after, before, describe, mock, test } from "node:test";
import { type Id, newId } from "../../../kernel/ids.ts";
import { instant } from "../../../kernel/time.ts";
import type { DueDelivery } from "../delivery.ts";
import { createLanes } from "./lanes.ts";

const NOW = instant(Date.parse("2026-01-01T00:00:00Z"));

type Shop = { readonly merchantId: Id<"merchant">; readonly webhookId: Id<"webhook"> };
const newShop = (): Shop => ({ merchantId: newId("merchant", NOW), webhookId: newId("webhook", NOW) });

const dueAt = (shop: Shop, count: number, resourceId?: string): readonly DueDelivery[] =>
  Array.from({ length: count }, () => {
    const eventId = newId("event", NOW);
    return {
      ...shop,
      eventId,
      resourceId: resourceId ?? `of ${eventId}`,
      body: "{}",
      attempts: 0,
      failures: 0,
      round: 0,
      changedAt: undefined,
      clockOffset: 0,
    };
  });

/** Lanes whose requests end on the test's command. */
function startLanes(urlOf = ({ webhookId }: Shop): string | undefined => `https://${webhookId}.example`) {
  const begun: { delivery: DueDelivery; url: string; end: (isAcknowledged: boolean) => Promise<void> }[] = [];
  let low = 0;
  const lanes = createLanes({
    urlOf,
    attempt: (delivery, url) =>
      new Promise((resolve) => {
        const end = async (isAcknowledged: boolean) => {
          resolve(isAcknowledged);
          // Everything that follows an end runs before the next turn of the event loop.
          await new Promise((turn) => setImmediate(turn));
        };
        begun.push({ delivery, url, end });
      }),
    onLow: () => {
      low += 1;
    },
  });
  const put = (shop: Shop, deliveries: readonly DueDelivery[], more = false) => {
    lanes.add(shop, deliveries, more);
    lanes.pump();
  };
  return { lanes, begun, put, low: () => low };
}

describe("lanes of deliveries", () => {
  // A request becomes slow by the time it takes; a busy machine must not make one slow here.
  before(() => mock.timers.enable({ apis: ["setTimeout"] }));
  after(() => mock.timers.reset());

  test("sends four requests at once per endpoint, and another one for each that ends", async () => {
    const { begun, put, lanes } = startLanes();
    put(newShop(), dueAt(newShop(), 10));
    assert.equal(begun.length, 4);
    await begun[0]?.end(true);
    assert.equal(begun.length, 5);
    assert.deepEqual(lanes.inHand(), { queued: 5, quick: 4, slow: 0 });
  });

  test("two subscriptions of a merchant with one URL share its four requests, in turn", async () => {
    const [one, other] = [newShop(), newShop()];
    const both = [one, { ...other, merchantId: one.merchantId }] as const;
    const { begun, lanes } = startLanes(() => "https://shop.example");
    for (const shop of both) lanes.add(shop, dueAt(shop, 10), false);
    lanes.pump();
    assert.deepEqual(
      begun.map(({ delivery }) => delivery.webhookId === one.webhookId),
      [true, false, true, false],
    );
  });

  test("sends one version of a resource at a time; other resources overtake it", async () => {
    const { begun, put } = startLanes();
    const shop = newShop();
    put(shop, [...dueAt(shop, 3, "pr_1"), ...dueAt(shop, 1, "pr_2")]);
    assert.deepEqual(
      begun.map(({ delivery }) => delivery.resourceId),
      ["pr_1", "pr_2"],
    );
    await begun[0]?.end(true);
    assert.deepEqual(
      begun.map(({ delivery }) => delivery.resourceId),
      ["pr_1", "pr_2", "pr_1"],
    );
  });

  test("a queue that waits for a version starts other resources as soon as they are added", () => {
    const { begun, put } = startLanes();
    const shop = newShop();
    put(shop, dueAt(shop, 2, "pr_1"));
    assert.equal(begun.length, 1);
    put(shop, dueAt(shop, 1, "pr_2"));
    assert.equal(begun.length, 2);
  });

  test("sends 256 requests at once to healthy endpoints; a queue that waits for the window precedes those that had their turn", async () => {
    const { begun, put } = startLanes();
    for (let count = 0; count < 64; count += 1) {
      const shop = newShop();
      put(shop, dueAt(shop, 10));
    }
    assert.equal(begun.length, 256);
    const late = newShop();
    put(late, dueAt(late, 1));
    assert.equal(begun.length, 256);
    await begun[0]?.end(true);
    assert.equal(begun.length, 257);
    await begun[1]?.end(true);
    const served = begun.slice(256).map(({ delivery }) => delivery.webhookId);
    assert.ok(served.includes(late.webhookId), "it came within two turns");
  });

  test("an endpoint that failed counts in the slow window until it acknowledges again", async () => {
    const { begun, put, lanes } = startLanes();
    const shop = newShop();
    put(shop, dueAt(shop, 3, "pr_1"));
    await begun[0]?.end(false);
    assert.deepEqual(lanes.inHand(), { queued: 1, quick: 0, slow: 1 });
    await begun[1]?.end(true);
    assert.deepEqual(lanes.inHand(), { queued: 0, quick: 1, slow: 0 });
  });

  test("a queue that waits for an endpoint continues at the new URL", () => {
    let url: string | undefined = "https://old.example";
    const { begun, put } = startLanes(() => url);
    const shop = newShop();
    put(shop, dueAt(shop, 6));
    assert.equal(begun.length, 4);
    url = "https://new.example";
    put(shop, []);
    assert.deepEqual(
      begun.map((one) => one.url),
      [...Array(4).fill("https://old.example"), ...Array(2).fill("https://new.example")],
    );
  });

  test("drops deliveries without a URL, so that they can be fetched again", async () => {
    let url: string | undefined = "https://shop.example";
    const { begun, put, lanes } = startLanes(() => url);
    const shop = newShop();
    put(shop, dueAt(shop, 6));
    assert.equal(lanes.eventsInProgress(shop).length, 6);
    url = undefined;
    await begun[0]?.end(true);
    assert.deepEqual([begun.length, lanes.queued(), lanes.eventsInProgress(shop).length], [4, 0, 4]);
    url = "https://shop.example";
    put(shop, dueAt(shop, 6));
    assert.equal(begun.length, 5, "three of the old ones are still in flight");
  });

  test("requests more once, when fewer than fifty wait", async () => {
    const { begun, put, low } = startLanes();
    const shop = newShop();
    put(shop, dueAt(shop, 54), true);
    assert.equal(low(), 0);
    await begun[0]?.end(true);
    assert.equal(low(), 1);
    await begun[1]?.end(true);
    assert.equal(low(), 1);
  });

  test("is idle when the last request has ended; dropped deliveries do not count", async () => {
    const { begun, put, lanes } = startLanes();
    const shop = newShop();
    put(shop, dueAt(shop, 5));
    assert.ok(lanes.isBusy(shop.merchantId));
    lanes.drop(shop.merchantId);
    let rested = false;
    const idle = lanes.idle().then(() => {
      rested = true;
    });
    for (const one of begun.slice(0, 3)) await one.end(true);
    assert.equal(rested, false);
    await begun[3]?.end(true);
    await idle;
    assert.equal(begun.length, 4);
    assert.equal(lanes.isBusy(shop.merchantId), false);
  });
});
