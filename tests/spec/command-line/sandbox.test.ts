import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { CommandProblem } from "../../../src/cli/command.ts";
import { Refusal } from "../../../src/kernel/refusal.ts";
import { shopOf, startDay } from "../../support/checkout.ts";
import { startCommand } from "../../support/command-line.ts";
import { eventually } from "../../support/eventually.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { CHECKOUT } from "../../support/request-bodies.ts";
import { typeCommand } from "../../support/typed-command.ts";

let gateway: TestGateway;
before(async () => {
  gateway = await startTestGateway({ environment: { TIDEGATE_SANDBOX_SETTLEMENT_SECONDS: "600" } });
});
after(() => gateway.stop());

// biome-ignore lint/suspicious/noExplicitAny: command output has any shape.
const jsonOf = async (...words: readonly string[]): Promise<any> =>
  (await typeCommand(gateway, ...words)).json;

describe("tidegate sandbox", () => {
  test("pay creates a request and pays it; the amount selects the scenario", async () => {
    const paid = await jsonOf("sandbox", "pay", "--amount", "3000");
    assert.deepEqual(
      [paid.paymentRequestStatus, paid.status, paid.codes[0].id],
      ["completed", "approved", "A02000"],
    );
    const request = (await gateway.get(`/paymentrequests/${paid.paymentRequestId}`)).body;
    assert.equal(request.transactionResult.id, paid.transactionId);
    const declined = await jsonOf("sandbox", "pay", "--amount", "14451");
    assert.deepEqual([declined.status, declined.codes[0].id], ["declined", "D04451"]);
  });

  test("pay answers the challenge as --challenge says", async () => {
    const passed = await jsonOf("sandbox", "pay", "--amount", "14418", "--3ds");
    const failed = await jsonOf("sandbox", "pay", "--amount", "14418", "--3ds", "--challenge", "fail");
    assert.deepEqual([passed.status, failed.status, failed.codes[0].id], ["approved", "declined", "D04417"]);
  });

  test("pay pays an existing request: a checkout with a surcharge, a hosted page, a PayID", async () => {
    const surcharging = { enabled: true, rates: { visa: { percent: 1, fixed: 0 } } };
    await gateway.put("/management/account", { surcharging });
    const checkout = (await gateway.post("/paymentrequests", CHECKOUT)).body;
    const paid = await jsonOf("sandbox", "pay", checkout.id);
    const { payment } = (await gateway.get(`/transactions/${paid.transactionId}`)).body;
    assert.equal(payment.totalAmount, Math.round(CHECKOUT.payment.amount * 1.01));
    await gateway.put("/management/account", { surcharging: { enabled: false } });
    const logo = "data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciLz4=";
    const hosted = (
      await gateway.post("/paymentrequests", {
        payment: { amount: 14419 },
        hostedPaymentPage: { logo, attempts: 2 },
      })
    ).body;
    assert.equal((await jsonOf("sandbox", "pay", hosted.id)).status, "declined");
    assert.equal((await jsonOf("sandbox", "pay", hosted.id)).status, "approved");
    const payId = { type: "single", value: "order-77" };
    const byPayId = (
      await gateway.post("/paymentrequests", { payment: { amount: 500, instrument: { payId } } })
    ).body;
    assert.equal((await jsonOf("sandbox", "pay", byPayId.id)).paymentRequestStatus, "completed");
    await assert.rejects(
      jsonOf(
        "sandbox",
        "pay",
        byPayId.id.replace(/.$/, (last: string) => (last === "0" ? "1" : "0")),
      ),
      Refusal,
    );
  });

  test("transfer pays to a PayID and reports a return", async () => {
    const payId = { type: "single", value: "order-78" };
    await gateway.post("/paymentrequests", { payment: { amount: 500, instrument: { payId } } });
    const address = "order-78@payid.tidegate.test";
    const short = await jsonOf("sandbox", "transfer", address, "--amount", "499");
    assert.deepEqual([short.status, short.reason], ["returned", "short"]);
    await assert.rejects(
      jsonOf("sandbox", "transfer", address, "--amount", "500", "--payer", "4111111111111111"),
      /text_card_number_refused/,
    );
    assert.equal((await jsonOf("sandbox", "transfer", address, "--amount", "500")).status, "accepted");
  });

  test("settle settles what is due, and clock advance moves the clock", async () => {
    await startDay(shopOf(gateway));
    const { transactionId } = await jsonOf("sandbox", "pay");
    await gateway.post(`/transactions/${transactionId}/refunds`, { payment: { amount: 100 } });
    const settled = await jsonOf("sandbox", "settle");
    // After 6 p.m. the clock moves past midnight, and a payout of the day before may be under way.
    assert.ok(settled.refunds === 1 && settled.payouts >= 1, JSON.stringify(settled));
    const before = (await jsonOf("sandbox", "clock", "show")).aheadSeconds;
    await jsonOf("sandbox", "clock", "advance", "90m");
    assert.equal((await jsonOf("sandbox", "clock", "show")).aheadSeconds, before + 5400);
    await assert.rejects(jsonOf("sandbox", "clock", "advance", "367d"), CommandProblem);
  });

  test("with several merchants --merchant is required, and a live merchant is refused", async () => {
    const other = await gateway.newMerchant();
    const live = await gateway.newMerchant({ mode: "live" });
    await assert.rejects(jsonOf("sandbox", "clock", "show"), /choose one with --merchant/);
    assert.equal((await jsonOf("sandbox", "pay", "--merchant", other.id)).status, "approved");
    await assert.rejects(jsonOf("sandbox", "pay", "--merchant", live.id), /is live/);
  });
});

describe("tidegate events", () => {
  test("listen prints each matching event as it is published, and exits with 0 on Ctrl-C", async () => {
    const { id, key } = await gateway.newMerchant();
    const words = ["events", "listen", "--json", "--event", "payment_requests"];
    const all = startCommand(gateway.database, words);
    const own = startCommand(gateway.database, ["events", "listen", "--merchant", id]);
    try {
      for (const one of [all, own])
        await eventually("the command follows events", async () => one.stderr().includes("Following"));
      const mine = (await gateway.post("/paymentrequests", CHECKOUT, { key })).body;
      await gateway.post(`/paymentrequests/${mine.id}/cancel`, undefined, { key });
      const others = (await gateway.post("/paymentrequests", CHECKOUT)).body;
      const printed = () =>
        all
          .stdout()
          .split("\n")
          .filter(Boolean)
          .map((line) => JSON.parse(line));
      await eventually("all events are printed", async () => printed().length === 3);
      assert.deepEqual(
        printed().map(({ payload }) => [payload.id, payload.paymentRequestStatus]),
        [
          [mine.id, "created"],
          [mine.id, "cancelled"],
          [others.id, "created"],
        ],
      );
      assert.equal(printed()[0].merchantId, id);
      await eventually(
        "the merchant's own events are printed",
        async () => own.stdout().split("\n").length === 3,
      );
      assert.doesNotMatch(own.stdout(), new RegExp(others.id));
      for (const one of [all, own]) one.interrupt();
      assert.deepEqual([(await all.ended).code, (await own.ended).code], [0, 0]);
    } finally {
      for (const one of [all, own]) one.kill();
    }
  });

  test("list shows the newest first, filtered by resource or event", async () => {
    const { id, key } = await gateway.newMerchant();
    const request = (await gateway.post("/paymentrequests", CHECKOUT, { key })).body;
    await gateway.post(`/paymentrequests/${request.id}/cancel`, undefined, { key });
    const { events } = await jsonOf("events", "list", "--merchant", id, "--resource", request.id);
    assert.deepEqual(
      events.map((one: { payload: { paymentRequestStatus: string } }) => one.payload.paymentRequestStatus),
      ["cancelled", "created"],
    );
    assert.equal((await jsonOf("events", "list", "--merchant", id, "--limit", "1")).events.length, 1);
    assert.deepEqual((await jsonOf("events", "list", "--merchant", id, "--event", "payouts")).events, []);
    const [{ id: eventId }] = events;
    await assert.rejects(
      jsonOf("events", "redeliver", eventId, "--merchant", id),
      Refusal,
      "no webhook is subscribed",
    );
    await gateway.post("/webhooks", { event: "payment_requests", url: "http://127.0.0.1:4999/" }, { key });
    assert.deepEqual(await jsonOf("events", "redeliver", eventId, "--merchant", id), { count: 1 });
  });
});
