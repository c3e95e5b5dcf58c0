import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { receiveTransfer } from "../../src/features/incoming-transfers/receive-transfer.ts";
import { returnTransfer } from "../../src/features/incoming-transfers/return-transfer.ts";
import { requireId } from "../../src/kernel/ids.ts";
import { cents } from "../../src/kernel/money.ts";
import type { Context } from "../../src/platform/context.ts";
import { runCommand } from "../support/command-line.ts";
import { eventually } from "../support/eventually.ts";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";
import { findUnsettled, findViolations } from "../support/invariants.ts";
import { DAY_SECONDS, payIdShop } from "../support/payid.ts";
import { gate, type Listener, watchContext } from "../support/watched-context.ts";

const TIMES = 12;

let gateway: TestGateway;
let second: TestGateway;
let ctx: Context;
let shop: ReturnType<typeof payIdShop>;
/** Called at every point of the first node's work. */
let listener: Listener = () => {};
/** The same merchant, at another node. */
let elsewhere: ReturnType<typeof payIdShop>;
before(async () => {
  gateway = await startTestGateway({
    wrapContext: (made) => {
      ctx = watchContext(made, (point) => listener(point));
      return ctx;
    },
  });
  second = await startTestGateway({ database: gateway.database });
  shop = payIdShop(gateway);
  elsewhere = payIdShop(second);
});
after(async () => {
  try {
    assert.deepEqual(await findViolations(gateway.database), []);
    await eventually(
      "all money is accepted or returned, and every closed request's PayID is released",
      async () => (await findUnsettled(gateway.database)).length === 0,
    );
  } finally {
    await second.stop();
    await gateway.stop();
  }
});

/** Stalls the first node's next transfer just before it locks its request, while something else happens. */
async function meanwhile(payId: string, happens: () => Promise<unknown>, payer = shop) {
  const [reached, resume] = [gate(), gate()];
  listener = async (point) => {
    if (point !== "payment_request_lock:before") return;
    listener = () => {};
    reached.open();
    await resume.opened;
  };
  const paying = payer.pay(payId, 3000);
  await reached.opened;
  await happens();
  resume.open();
  return paying;
}

/** How often each outcome happened. */
function tally(outcomes: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const outcome of outcomes) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  return counts;
}

describe("PROOF I22: concurrent events on one PayID", () => {
  test("of two exact transfers, one pays and the other is returned as a duplicate", async () => {
    for (let time = 0; time < TIMES; time += 1) {
      const { id, payId } = await shop.request();
      const both = await Promise.all([shop.pay(payId, 3000), elsewhere.pay(payId, 3000)]);
      assert.deepEqual(both.map(({ reason }): string => reason ?? "paid").toSorted(), ["duplicate", "paid"]);
      assert.equal((await shop.read(id)).payIdReturns.length, 1);
    }
  });

  test("a transfer that races a cancellation pays the request, or is returned after it is cancelled", async () => {
    const outcomes: string[] = [];
    for (let time = 0; time < TIMES; time += 1) {
      const { id, payId } = await shop.request();
      const [transfer, cancelled] = await Promise.all([shop.pay(payId, 3000), elsewhere.cancel(id)]);
      const { paymentRequestStatus } = await shop.read(id);
      outcomes.push(`${transfer.reason ?? "paid"} ${cancelled.status} ${paymentRequestStatus}`);
    }
    const allowed = ["paid 409 completed", "closed 200 cancelled"];
    for (const outcome of tally(outcomes).keys()) assert.ok(allowed.includes(outcome), outcome);
  });

  test("of a transfer, an expiry and a cancellation, one wins and decides whether the money is returned", async () => {
    const outcomes: string[] = [];
    for (let time = 0; time < TIMES; time += 1) {
      const { key } = await gateway.newMerchant();
      const [here, there] = [payIdShop(gateway, key), payIdShop(second, key)];
      const { id, payId } = await here.request();
      await here.advance(DAY_SECONDS - 30);
      const [transfer, , cancelled] = await Promise.all([
        here.pay(payId, 3000),
        there.advance(31),
        time % 2 === 0 ? there.cancel(id) : undefined,
      ]);
      const { paymentRequestStatus: status } = await there.read(id);
      assert.equal(cancelled?.status === 200, status === "cancelled");
      outcomes.push(`${transfer.reason ?? "paid"} ${status}`);
    }
    const allowed = ["paid completed", "late expired", "closed cancelled"];
    for (const outcome of tally(outcomes).keys()) assert.ok(allowed.includes(outcome), outcome);
  });

  test("a transfer that races a new request for the PayID pays one of the requests, or is returned", async () => {
    for (let time = 0; time < TIMES; time += 1) {
      const earlier = await shop.request();
      const replaceRequest = async () => {
        await elsewhere.cancel(earlier.id);
        return elsewhere.request({ value: earlier.value });
      };
      const [transfer, later] = await Promise.allSettled([shop.pay(earlier.payId, 3000), replaceRequest()]);
      assert.equal(transfer.status, "fulfilled");
      assert.equal(later.status, "fulfilled");
      const ids = [earlier.id, ...(later.status === "fulfilled" ? [later.value.id] : [])];
      const ends = await Promise.all(ids.map(async (id) => (await shop.read(id)).paymentRequestStatus));
      const paid = transfer.status === "fulfilled" && transfer.value.status === "accepted";
      assert.equal(ends.filter((status) => status === "completed").length, paid ? 1 : 0);
    }
  });
});

describe("PROOF I22: events between the lookup of a PayID and the lock on its request", () => {
  test("if the request is cancelled, the transfer is returned as closed", async () => {
    const { id, payId } = await shop.request();
    assert.equal((await meanwhile(payId, () => elsewhere.cancel(id))).reason, "closed");
  });

  test("if another transfer pays the request, the transfer is returned as a duplicate", async () => {
    const { payId } = await shop.request();
    assert.equal((await meanwhile(payId, () => elsewhere.pay(payId, 3000))).reason, "duplicate");
  });

  test("if a new request takes the PayID, the transfer pays the new request", async () => {
    const { id, payId, value } = await shop.request();
    let later = "";
    const transfer = await meanwhile(payId, async () => {
      await elsewhere.cancel(id);
      later = (await elsewhere.request({ value })).id;
    });
    assert.equal(transfer.status, "accepted");
    assert.equal((await shop.read(later)).paymentRequestStatus, "completed");
    assert.equal("payIdReturns" in (await shop.read(id)), false);
  });

  test("if the request expires, the transfer is returned as late", async () => {
    const { key } = await gateway.newMerchant();
    const [here, there] = [payIdShop(gateway, key), payIdShop(second, key)];
    const { id, payId } = await here.request();
    const expire = async () => {
      await there.advance(DAY_SECONDS + 1);
      await eventually(
        "the request has expired",
        async () => (await there.read(id)).paymentRequestStatus === "expired",
      );
    };
    const transfer = await meanwhile(payId, expire, here);
    assert.equal(transfer.reason, "late");
  });

  test("if nothing happens, the transfer pays", async () => {
    const { payId } = await shop.request();
    assert.equal((await meanwhile(payId, async () => {})).status, "accepted");
  });
});

describe("PROOF I22: a bank sends the same message many times", () => {
  /** Delivers a message 20 times concurrently, and 20 more times in sequence. */
  async function deliverRepeatedly(payId: string, amount: number) {
    const message = `bank message ${payId} ${amount}`;
    const transfer = await ctx.sandbox.payIdPayers.pay({ message, payId, amount: cents(amount) });
    assert.ok(transfer);
    const deliver = () => receiveTransfer(ctx, "sandbox", transfer);
    const answers = await Promise.all(Array.from({ length: 20 }, deliver));
    for (let time = 0; time < 20; time += 1) answers.push(await deliver());
    const [first] = answers;
    assert.deepEqual([...new Set(answers.map(({ id, reason }) => `${id} ${reason}`))].length, 1);
    return { message, reason: first?.reason ?? null };
  }

  const rowsOf = (message: string) =>
    gateway.database.rows<{ id: string }>("select id from incoming_transfers where message = $1", [message]);
  const returnsOf = (message: string) =>
    gateway.database.rows("select from sandbox_ledger where kind = 'return' and reference = $1", [message]);

  test("an exact transfer completes the request once, with one event for each change", async () => {
    const { id, payId } = await shop.request();
    const { message, reason } = await deliverRepeatedly(payId, 3000);
    assert.equal(reason, null);
    assert.equal((await rowsOf(message)).length, 1);
    const request = await shop.read(id);
    assert.equal("payIdReturns" in request, false);
    assert.equal((await shop.eventsOf(id)).length, 2);
    assert.equal((await shop.eventsOf(request.transactionResult.id)).length, 1);
  });

  for (const [amount, reason] of [
    [1, "short"],
    [3001, "over"],
  ] as const) {
    test(`a transfer that is ${reason} is returned once, and recorded once`, async () => {
      const { id, payId } = await shop.request();
      const answered = await deliverRepeatedly(payId, amount);
      assert.equal(answered.reason, reason);
      assert.equal((await shop.read(id)).payIdReturns.length, 1);
      assert.equal((await shop.eventsOf(id)).length, 2);
      await eventually(
        "the transfer is returned",
        async () => (await returnsOf(answered.message)).length === 1,
      );
    });
  }

  test("20 concurrent return jobs make one return at the bank and publish nothing more", async () => {
    const { id: request, payId } = await shop.request();
    const { message } = await deliverRepeatedly(payId, 2999);
    const [{ id: subjectId } = { id: "" }] = await rowsOf(message);
    const ends = await Promise.all(
      Array.from({ length: 20 }, () => returnTransfer(ctx, requireId("incomingTransfer", subjectId))),
    );
    assert.ok(ends.every((again) => again === undefined));
    assert.equal((await returnsOf(message)).length, 1);
    const [row] = await gateway.database.rows<{ status: string }>(
      "select status from incoming_transfers where id = $1",
      [subjectId],
    );
    assert.equal(row?.status, "returned");
    assert.equal((await shop.eventsOf(request)).length, 2);
  });

  test("a transfer to an unknown PayID is returned once, and the operator can see it", async () => {
    const { message, reason } = await deliverRepeatedly("unknown@payid.tidegate.test", 4200);
    assert.equal(reason, "unknown");
    assert.equal((await rowsOf(message)).length, 1);
    await eventually("the transfer is returned", async () => (await returnsOf(message)).length === 1);
    const { stdout } = await runCommand(gateway.database, ["payid", "unmatched", "--json"]);
    const listed = JSON.parse(stdout).transfers.filter((one: { message: string }) => one.message === message);
    assert.deepEqual(
      listed.map((one: Record<string, unknown>) => [
        one["payId"],
        one["amount"],
        one["status"],
        one["reason"],
      ]),
      [["unknown@payid.tidegate.test", 4200, "returned", "unknown"]],
    );
  });

  test("a repeated message does not pay a later request with the same PayID", async () => {
    const earlier = await shop.request();
    const { message } = await deliverRepeatedly(earlier.payId, 3000);
    const later = await shop.request({ value: earlier.value });
    const transfer = await ctx.sandbox.payIdPayers.find(message);
    assert.ok(transfer);
    assert.equal((await receiveTransfer(ctx, "sandbox", transfer)).paymentRequestId, earlier.id);
    assert.equal((await shop.read(later.id)).paymentRequestStatus, "created");
  });
});
