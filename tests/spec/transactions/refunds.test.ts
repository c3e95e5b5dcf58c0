import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import {
  advanceClock,
  callApi,
  eventsOf,
  getTransaction,
  ok,
  openFrame,
  payOnce,
  problemsOf,
  type Shop,
  shopOf,
} from "../../support/checkout.ts";
import { shownCode } from "../../support/codes.ts";
import { eventually } from "../../support/eventually.ts";
import { type Answer, startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { assertInvariants } from "../../support/invariants.ts";

describe("contract 5: refunds", () => {
  let gateway: TestGateway;
  let shop: Shop;
  before(async () => {
    gateway = await startTestGateway({ environment: { TIDEGATE_SANDBOX_SETTLEMENT_SECONDS: "600" } });
    shop = shopOf(gateway);
  });
  after(async () => {
    await settle();
    await eventually("no refund is pending", async () => {
      const pending = await gateway.database.rows("select from refunds where status = 'pending'");
      return pending.length === 0 || undefined;
    });
    await assertInvariants(gateway.database);
    await gateway.stop();
  });

  const pay = async (amount = 3000, on: Shop = shop) => (await payOnce(on, { amount })).transactionId;
  const refund = (id: string, amount?: number, headers = {}, on: Shop = shop) =>
    callApi({ ...on, headers }, "POST", `/transactions/${id}/refunds`, amount && { payment: { amount } });

  function assertConflict(answer: Answer, problem: string): void {
    assert.equal(answer.status, 409);
    assert.deepEqual(problemsOf(answer), [problem]);
  }

  /** Moves the clock past the sandbox's settlement delay. */
  const settle = (on: Shop = shop) => advanceClock(on, 600);

  async function settledRefund(id: string, refundId: string, on: Shop = shop) {
    await settle(on);
    return eventually("the refund is settled", async () => {
      const found = ok(await callApi(on, "GET", `/transactions/${id}/refunds/${refundId}`));
      return found.result.status === "pending" ? undefined : found;
    });
  }

  const refundedAmount = async (id: string) => (await getTransaction(shop, id)).payment.refundedAmount;

  test("a refund without an amount refunds everything: pending, then approved, with one event each", async () => {
    const id = await pay();
    const requested = ok(await refund(id));
    assert.deepEqual(requested, {
      id: requested.id,
      location: `${gateway.baseUrl}/transactions/${id}/refunds/${requested.id}`,
      transactionId: id,
      reference: requested.id,
      createdDateTime: requested.createdDateTime,
      updatedDateTime: requested.createdDateTime,
      category: { method: "refund" },
      payment: { amount: 3000, currencyCode: "AUD" },
      result: { mode: "sandbox", status: "pending" },
    });
    assert.match(requested.id, /^rfd_/);
    const done = await settledRefund(id, requested.id);
    assert.deepEqual(done, {
      ...requested,
      updatedDateTime: done.updatedDateTime,
      result: {
        mode: "sandbox",
        status: "approved",
        codes: [shownCode("A02000 approved", gateway.baseUrl, "operation")],
      },
    });
    assert.ok(done.updatedDateTime > requested.updatedDateTime);
    const events = await eventsOf(shop, requested.id);
    assert.deepEqual(
      events.map((event: { event: string; payload: object }) => [event.event, event.payload]),
      [
        ["transactions", requested],
        ["transactions", done],
      ],
    );
    assert.equal(await refundedAmount(id), 3000);
    assert.equal(
      (await eventsOf(shop, id)).length,
      2,
      "refundedAmount publishes no event of the transaction",
    );
  });

  test("a refund keeps the reference that the merchant sets", async () => {
    const id = await pay();
    const body = { reference: "return-1", payment: { amount: 1 } };
    const made = ok(await callApi(shop, "POST", `/transactions/${id}/refunds`, body));
    assert.equal(made.reference, "return-1");
    await settledRefund(id, made.id);
    assert.equal((await eventsOf(shop, made.id))[1].reference, "return-1");
  });

  test("partial refunds add up; a refund without an amount takes the rest; then nothing is refundable", async () => {
    const id = await pay();
    ok(await refund(id, 1000));
    assertConflict(await refund(id, 2001), "V11721 /payment/amount");
    assertConflict(await refund(id, 199_999_999_998), "V11721 /payment/amount");
    ok(await refund(id, 500));
    const rest = ok(await refund(id));
    assert.equal(rest.payment.amount, 1500);
    assertConflict(await refund(id, 1), "V11721 /payment/amount");
    assertConflict(await refund(id), "V11721 /payment/amount");
    await settle();
    await eventually("everything is refunded", async () => (await refundedAmount(id)) === 3000);
  });

  test("a full refund includes the surcharge", async () => {
    const ours = shopOf(gateway, (await gateway.newMerchant()).key);
    const surcharging = { enabled: true, rates: { visa: { percent: 10 } } };
    ok(await callApi(ours, "PUT", "/management/account", { surcharging }));
    const { transactionId } = await payOnce(ours, {}, { total: 3300 });
    assertConflict(await refund(transactionId, 3301, {}, ours), "V11721 /payment/amount");
    const all = ok(await refund(transactionId, undefined, {}, ours));
    assert.equal(all.payment.amount, 3300);
    assert.equal((await settledRefund(transactionId, all.id, ours)).result.status, "approved");
  });

  test("only the captured amount is refundable", async () => {
    const category = { captureType: "manual" };
    const { transactionId: part } = await payOnce(shop, { category });
    assertConflict(await refund(part), "V11720");
    ok(await callApi(shop, "POST", `/transactions/${part}/capture`, { payment: { amount: 1200 } }));
    assertConflict(await refund(part, 1201), "V11721 /payment/amount");
    assert.equal(ok(await refund(part)).payment.amount, 1200);

    const { transactionId: voided } = await payOnce(shop, { category });
    ok(await callApi(shop, "POST", `/transactions/${voided}/cancel`));
    const { transactionId: declined } = await payOnce(shop, { amount: 14_451 });
    const waiting = await openFrame(shop, { amount: 14_418, category: { authenticationType: "3d_secure" } });
    const { transactionId: pending } = ok(await waiting.pay());
    for (const id of [voided, declined, pending]) assertConflict(await refund(id, 1), "V11720");
    ok(await waiting.abandon());
  });

  test("invalid amounts and unknown fields are refused", async () => {
    const id = await pay();
    for (const amount of [0, -1, 0.5, "1", null, 199_999_999_999]) {
      const answer = await callApi(shop, "POST", `/transactions/${id}/refunds`, { payment: { amount } });
      assert.equal(answer.status, 400);
      assert.deepEqual(problemsOf(answer), ["V11701 /payment/amount"]);
    }
    const answer = await callApi(shop, "POST", `/transactions/${id}/refunds`, { reason: "x", reference: "" });
    assert.deepEqual(problemsOf(answer), ["V10004 /reference", "V11003 /reason"]);
  });

  test("twenty concurrent refunds never exceed the captured amount", async () => {
    const id = await pay(1000);
    const answers = await Promise.all(Array.from({ length: 20 }, () => refund(id, 150)));
    assert.equal(answers.filter((answer) => answer.status === 200).length, 6);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      assertConflict(answer, "V11721 /payment/amount");
    }
    await settle();
    await eventually("all of them are approved", async () => (await refundedAmount(id)) === 900);
    assert.equal(ok(await refund(id)).payment.amount, 100);
  });

  test("of twenty concurrent full refunds one succeeds", async () => {
    const id = await pay(1000);
    const answers = await Promise.all(Array.from({ length: 20 }, () => refund(id)));
    assert.equal(answers.filter((answer) => answer.status === 200).length, 1);
  });

  for (const [amount, code] of [
    [14_405, "D04405 do_not_honour"],
    [14_491, "D04491 card_issuer_unavailable"],
  ] as const) {
    test(`a refund of ${amount} is declined as ${code}, and the amount stays refundable`, async () => {
      const id = await pay(amount + 5000);
      const made = ok(await refund(id, amount));
      assertConflict(await refund(id, 5001), "V11721 /payment/amount");
      const declined = await settledRefund(id, made.id);
      assert.deepEqual(declined.result, {
        mode: "sandbox",
        status: "declined",
        codes: [shownCode(code, gateway.baseUrl, "operation")],
      });
      assert.deepEqual((await eventsOf(shop, made.id))[1].payload, declined);
      assert.equal(await refundedAmount(id), 0);
      const again = ok(await refund(id));
      assert.equal(again.payment.amount, amount + 5000);
      assert.equal((await settledRefund(id, again.id)).result.status, "approved");
    });
  }

  test("a refund of 14408 is approved with A02008; 11400 on a card is approved with A02000", async () => {
    const id = await pay(30_000);
    const codeOf = async (amount: number) =>
      (await settledRefund(id, ok(await refund(id, amount)).id)).result.codes[0].id;
    assert.equal(await codeOf(14_408), "A02008");
    assert.equal(await codeOf(11_400), "A02000");
  });

  test("an idempotency key refunds once; a repeat returns the refund's id", async () => {
    const [id, other] = [await pay(), await pay()];
    const headers = { "x-idempotency-key": `refund-${id}` };
    assertConflict(await refund(id, 9999, headers), "V11721 /payment/amount");
    const answers = await Promise.all(Array.from({ length: 8 }, () => refund(id, 100, headers)));
    const made = answers.filter((answer) => answer.status === 200);
    assert.equal(made.length, 1);
    const refundId = made[0]?.body.id;
    for (const repeat of [
      ...answers.filter(({ status }) => status !== 200),
      await refund(other, 1, headers),
    ]) {
      assertConflict(repeat, "V10018");
      assert.equal(repeat.body.original.id, refundId);
      const location = `${gateway.baseUrl}/transactions/${id}/refunds/${refundId}`;
      assert.equal(repeat.body.original.location, location);
    }
    assert.equal(ok(await callApi(shop, "GET", `/transactions/${id}/refunds`)).count, 1);
    assert.equal(ok(await callApi(shop, "GET", `/transactions/${other}/refunds`)).count, 0);
  });

  test("refunds are listed newest first, in pages, by time, and per transaction", async () => {
    const [id, other] = [await pay(), await pay()];
    const made: string[] = [];
    for (const amount of [1, 2, 3, 4, 5]) made.unshift(ok(await refund(id, amount)).id);
    ok(await refund(other, 7));
    const list = async (query = "") => ok(await callApi(shop, "GET", `/transactions/${id}/refunds${query}`));
    const idsOf = (page: { refunds: { id: string }[] }) => page.refunds.map((one) => one.id);
    assert.deepEqual(idsOf(await list()), made);
    const first = await list("?limit=2");
    const second = await list(`?limit=2&cursor=${first.nextCursor}`);
    const third = await list(`?limit=2&cursor=${second.nextCursor}`);
    assert.deepEqual([first, second, third].flatMap(idsOf), made);
    assert.deepEqual([first.count, third.count, third.nextCursor], [2, 1, null]);
    const [oldest] = (await list()).refunds.toReversed();
    const { createdDateTime } = oldest;
    assert.ok(idsOf(await list(`?createdFrom=${createdDateTime}`)).length === 5);
    assert.deepEqual(idsOf(await list(`?createdTo=${createdDateTime}`)), []);
    const one = ok(await callApi(shop, "GET", `/transactions/${id}/refunds/${made[0]}`));
    assert.equal(one.id, made[0]);
  });

  test("a refund of another transaction or merchant is 404", async () => {
    const otherShop = shopOf(gateway, (await gateway.newMerchant()).key);
    const [id, other] = [await pay(), await pay()];
    const { id: refundId } = ok(await refund(id, 1));
    const paths = [
      [shop, `/transactions/${other}/refunds/${refundId}`],
      [shop, `/transactions/${id}/refunds/rfd_x`],
      [shop, `/transactions/${id}/refunds/${id}`],
      [otherShop, `/transactions/${id}/refunds/${refundId}`],
      [otherShop, `/transactions/${id}/refunds`],
    ] as const;
    for (const [caller, path] of paths) {
      const answer = await callApi(caller, "GET", path);
      assert.equal(answer.status, 404, path);
      assert.deepEqual(problemsOf(answer), ["V11010"]);
    }
    assert.equal((await refund(id, 1, {}, otherShop)).status, 404);
    ok(await callApi(shop, "GET", `/transactions/${id}/refunds/${refundId}`));
  });
});
