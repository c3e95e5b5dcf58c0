import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { isWaiting, type Order, type Payment, standingOf } from "../../examples/shop/orders/order.ts";
import { priced } from "../../examples/shop/orders/price.ts";
import { openInbox } from "../../examples/shop/webhooks/inbox.ts";

describe("the example shop: prices are made on the server", () => {
  test("lines, shipping and total add up, and shipping is free from $60 on", () => {
    assert.deepEqual(priced({ lighthouse: 1 }), {
      lines: [{ id: "lighthouse", title: "Lighthouse Blend", price: 1850, quantity: 1 }],
      shipping: 750,
      total: 2600,
    });
    assert.equal(priced({ "fog-signal": 1, "night-ferry": 1, lighthouse: 1 }).total, 6000);
    assert.equal(priced({ "fog-signal": 1, "night-ferry": 1, "low-tide": 1 }).total, 5940 + 750);
  });

  test("a voucher is not sent, so that its price is what the sandbox's bank sees", () => {
    assert.equal(priced({ declined: 1 }).total, 14451);
    assert.equal(priced({ declined: 1, lighthouse: 1 }).shipping, 750);
  });

  test("what is no product, and what is no quantity, is not bought", () => {
    assert.equal(priced({ unheard: 1, lighthouse: 0.5, "low-tide": -1 }).total, 0);
    assert.equal(priced({ constructor: 1 }).total, 0);
  });
});

describe("the example shop: an order stands as its payments do", () => {
  const payment = (status: Payment["status"], ...refunds: Payment["refunds"]): Payment => ({
    method: "card",
    status,
    refunds,
  });
  const order = (...payments: Payment[]): Order => ({
    id: "order-1",
    shopper: "s",
    basket: { lines: [], shipping: 0, total: 1 },
    payments,
    news: [],
  });

  test("by the one that was approved, else by the latest", () => {
    const cases: readonly [Order, string, boolean][] = [
      [order(), "unpaid", false],
      [order(payment("open")), "open", true],
      [order(payment("pending")), "pending", true],
      [order(payment("declined")), "declined", false],
      [order(payment("ended")), "unpaid", false],
      [order(payment("declined"), payment("open")), "open", true],
      [order(payment("approved"), payment("declined")), "paid", false],
      [order(payment("approved", { id: "rfd_1", status: "pending" })), "refunding", true],
      [order(payment("approved", { id: "rfd_1", status: "approved" })), "refunded", false],
      [order(payment("approved", { id: "rfd_1", status: "declined" })), "paid", false],
    ];
    for (const [one, standing, waiting] of cases) {
      assert.equal(standingOf(one), standing);
      assert.equal(isWaiting(one), waiting, standing);
    }
  });
});

describe("the example shop: its inbox of webhooks", () => {
  test("an event is handled once; one whose work failed is handled when it comes again", async () => {
    const inbox = openInbox();
    let worked = 0;
    const work = async () => {
      worked += 1;
    };
    assert.equal(await inbox.once("evt_1", "pr_1", work), "done");
    assert.equal(await inbox.once("evt_1", "pr_1", work), "repeat");
    assert.equal(worked, 1);
    const failing = async () => {
      throw new Error("the gateway is away");
    };
    await assert.rejects(inbox.once("evt_2", "pr_1", failing), /away/);
    assert.equal(await inbox.once("evt_2", "pr_1", work), "done");
    assert.equal(worked, 2);
  });

  test("two deliveries of one event at the same time are one piece of work", async () => {
    const inbox = openInbox();
    let worked = 0;
    const work = async () => {
      worked += 1;
      await new Promise((resolve) => setImmediate(resolve));
    };
    const both = await Promise.all([inbox.once("evt_1", "pr_1", work), inbox.once("evt_1", "pr_1", work)]);
    assert.deepEqual(both, ["done", "repeat"]);
    assert.equal(worked, 1);
  });

  test("what is older than what is known is old; the same and the newer are not", () => {
    const inbox = openInbox();
    inbox.remember("pr_1", "2026-01-01T00:00:00.002Z");
    inbox.remember("pr_1", "2026-01-01T00:00:00.001Z");
    assert.equal(inbox.isOld("pr_1", "2026-01-01T00:00:00.001Z"), true);
    assert.equal(inbox.isOld("pr_1", "2026-01-01T00:00:00.002Z"), false);
    assert.equal(inbox.isOld("pr_1", "2026-01-01T00:00:00.003Z"), false);
    assert.equal(inbox.isOld("pr_2", "2026-01-01T00:00:00.001Z"), false);
  });
});
