import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { isWaiting, type Order, type Payment, standingOf } from "../../examples/shop/orders/order.ts";
import { priced } from "../../examples/shop/orders/price.ts";
import { openInbox } from "../../examples/shop/webhooks/inbox.ts";

describe("the example shop computes prices on the server", () => {
  test("lines and shipping add up to the total, and shipping is free from $60", () => {
    assert.deepEqual(priced({ lighthouse: 1 }), {
      lines: [{ id: "lighthouse", title: "Lighthouse Blend", price: 1850, quantity: 1 }],
      shipping: 750,
      total: 2600,
    });
    assert.equal(priced({ "fog-signal": 1, "night-ferry": 1, lighthouse: 1 }).total, 6000);
    assert.equal(priced({ "fog-signal": 1, "night-ferry": 1, "low-tide": 1 }).total, 5940 + 750);
  });

  test("a voucher has no shipping, so its price is the amount the sandbox acquirer receives", () => {
    assert.equal(priced({ declined: 1 }).total, 14451);
    assert.equal(priced({ declined: 1, lighthouse: 1 }).shipping, 750);
  });

  test("an unknown product or an invalid quantity is not sold", () => {
    assert.equal(priced({ unheard: 1, lighthouse: 0.5, "low-tide": -1 }).total, 0);
    assert.equal(priced({ constructor: 1 }).total, 0);
  });
});

describe("the example shop derives an order's status from its payments", () => {
  const payment = (status: Payment["status"], ...refunds: Payment["refunds"]): Payment => ({
    method: "card",
    status,
    refunds,
  });
  const order = (...payments: Payment[]): Order => ({
    id: "order-1",
    payer: "s",
    basket: { lines: [], shipping: 0, total: 1 },
    payments,
    news: [],
  });

  test("from the approved payment, otherwise from the latest", () => {
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
    for (const [one, expected, waiting] of cases) {
      assert.equal(standingOf(one), expected);
      assert.equal(isWaiting(one), waiting, expected);
    }
  });
});

describe("the example shop's webhook inbox", () => {
  test("handles an event once, and handles it again after a failure", async () => {
    const inbox = openInbox();
    let worked = 0;
    const work = async () => {
      worked += 1;
    };
    assert.equal(await inbox.once("evt_1", "pr_1", work), "done");
    assert.equal(await inbox.once("evt_1", "pr_1", work), "repeat");
    assert.equal(worked, 1);
    const failing = async () => {
      throw new Error("the gateway is down");
    };
    await assert.rejects(inbox.once("evt_2", "pr_1", failing), /down/);
    assert.equal(await inbox.once("evt_2", "pr_1", work), "done");
    assert.equal(worked, 2);
  });

  test("handles two concurrent deliveries of one event once", async () => {
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

  test("treats an event as old only if it is older than the newest seen", () => {
    const inbox = openInbox();
    inbox.remember("pr_1", "2026-01-01T00:00:00.002Z");
    inbox.remember("pr_1", "2026-01-01T00:00:00.001Z");
    assert.equal(inbox.isOld("pr_1", "2026-01-01T00:00:00.001Z"), true);
    assert.equal(inbox.isOld("pr_1", "2026-01-01T00:00:00.002Z"), false);
    assert.equal(inbox.isOld("pr_1", "2026-01-01T00:00:00.003Z"), false);
    assert.equal(inbox.isOld("pr_2", "2026-01-01T00:00:00.001Z"), false);
  });
});
