import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { assertRefused } from "../../support/answers.ts";
import { eventually } from "../../support/eventually.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { payIdShop } from "../../support/payid.ts";

let gateway: TestGateway;
let shop: ReturnType<typeof payIdShop>;
before(async () => {
  gateway = await startTestGateway({ environment: { TIDEGATE_SANDBOX_SETTLEMENT_SECONDS: "3600" } });
  shop = payIdShop(gateway);
});
after(() => gateway.stop());

const statusOf = async (id: string) => (await shop.read(id)).paymentRequestStatus;

describe("contract 9: POST /sandbox/payid/transfers", () => {
  test("another merchant's PayID, an unknown one and one of another domain are the same 404", async () => {
    const { key } = await gateway.newMerchant();
    const { payId } = await payIdShop(gateway, key).request();
    const { value } = await shop.request();
    const unknown = [
      "unknown@payid.tidegate.test",
      "unknown",
      `${value}@elsewhere.example`,
      "@",
      "x@y@payid.tidegate.test",
    ];
    for (const foreign of [payId, ...unknown])
      assertRefused(await shop.send(foreign, 3000), 404, ["V12003", "/payId"]);
    assert.equal((await payIdShop(gateway, key).pay(payId, 3000)).status, "accepted");
  });

  test("accepts the value without its domain", async () => {
    const { value } = await shop.request();
    assert.equal((await shop.pay(value, 2999)).reason, "short");
    assert.equal((await shop.pay(value, 3000)).status, "accepted");
  });

  test("a PayID reused by another merchant belongs to that merchant", async () => {
    const ours = await shop.request();
    await shop.cancel(ours.id);
    assert.equal((await shop.pay(ours.payId, 3000)).reason, "closed");
    const other = payIdShop(gateway, (await gateway.newMerchant()).key);
    const theirs = await other.request({ value: ours.value });
    assertRefused(await shop.send(theirs.payId, 3000), 404, ["V12003", "/payId"]);
    assert.equal((await other.pay(theirs.payId, 3000)).status, "accepted");
  });

  test("a closed PayID belongs to the merchant who had it last, however often one with a clock ahead had it", async () => {
    const other = payIdShop(gateway, (await gateway.newMerchant()).key);
    await other.advance(30 * 24 * 3600);
    const theirs = await other.request();
    await other.cancel(theirs.id);
    await gateway.database.rows(
      `insert into payment_requests select (jsonb_populate_record(p, jsonb_build_object('id', p.id || n, 'page_key', p.page_key || n))).*
       from payment_requests p, generate_series(101, 300) n where p.id = $1`,
      [theirs.id],
    );
    const ours = await shop.request({ value: theirs.value });
    assert.equal((await shop.pay(ours.payId, 3000)).status, "accepted");
    assert.equal((await shop.pay(ours.payId, 3000)).reason, "duplicate");
    assertRefused(await other.send(theirs.payId, 3000), 404, ["V12003", "/payId"]);
  });

  test("is 404 in live mode", async () => {
    const { key } = await gateway.newMerchant({ mode: "live" });
    assertRefused(await shop.send("a@payid.tidegate.test", 1, {}, { key }), 404, "V11011");
  });

  test("a live merchant's PayID cannot be paid from the sandbox", async () => {
    const { id, key } = await gateway.newMerchant();
    const live = await payIdShop(gateway, key).request();
    await gateway.database.rows("update merchants set mode = 'live' where id = $1", [id]);
    assertRefused(await shop.send(live.payId, 3000), 404, ["V12003", "/payId"]);
  });

  test("returns every problem of the body at once", async () => {
    assertRefused(
      await shop.send("", 0, { payerName: "", colour: "red" }),
      400,
      ["V11003", "/colour"],
      ["V12000", "/payId"],
      ["V12001", "/amount"],
      ["V12002", "/payerName"],
    );
    const nothing = await gateway.post("/sandbox/payid/transfers", {});
    assertRefused(nothing, 400, ["V12000", "/payId"], ["V12001", "/amount"]);
  });

  test("enforces both limits of each field", async () => {
    const { payId } = await shop.request();
    const long = `${"a".repeat(300)}@payid.tidegate.test`;
    assertRefused(await shop.send(long.slice(-320), 1), 404, ["V12003", "/payId"]);
    assertRefused(await shop.send(`a${long}`.padStart(321, "a"), 1), 400, ["V12000", "/payId"]);
    for (const amount of [1, 99_999_999_999])
      assert.equal((await shop.pay(payId, amount)).status, "returned");
    for (const amount of [0, 100_000_000_000, 1.5, "3000"])
      assertRefused(await shop.send(payId, amount), 400, ["V12001", "/amount"]);
    assert.equal((await shop.pay(payId, 1, { payerName: "é".repeat(140) })).status, "returned");
    assertRefused(await shop.send(payId, 1, { payerName: "é".repeat(141) }), 400, ["V12002", "/payerName"]);
  });

  test("requires a key", async () => {
    const { payId } = await shop.request();
    assert.equal((await shop.send(payId, 3000, {}, { key: null })).status, 401);
  });

  test("an idempotency key pays once; a repeat returns the transfer's id", async () => {
    const { id, payId } = await shop.request();
    const call = { headers: { "x-idempotency-key": "one-transfer" } };
    assertRefused(await shop.send("unknown@payid.tidegate.test", 1, {}, call), 404, ["V12003", "/payId"]);
    const first = await shop.send(payId, 1, {}, call);
    assert.equal(first.body.reason, "short");
    const again = await shop.send(payId, 1, {}, call);
    assert.equal(again.status, 409);
    assert.equal(again.body.original.id, first.body.id);
    assert.equal((await shop.read(id)).payIdReturns.length, 1);
  });
});

describe("contract 9: a PayID request of 12000 is paid automatically after the settlement delay", () => {
  test("on the merchant's clock, once, and not earlier", async () => {
    const { id } = await shop.request({ amount: 12_000 });
    const other = await shop.request({ amount: 12_001 });
    await shop.advance(3_500);
    assert.equal(await statusOf(id), "created");
    await shop.advance(101);
    await eventually("the request is paid", async () => (await statusOf(id)) === "completed");
    const { transactionResult } = await shop.read(id);
    const { payment, result } = await shop.transaction(transactionResult.id);
    assert.deepEqual([payment.amount, result.status], [12_000, "approved"]);
    assert.equal(await statusOf(other.id), "created", "another amount is not paid");
  });

  test("a cancelled or paid request is not paid again", async () => {
    const own = payIdShop(gateway, (await gateway.newMerchant()).key);
    const [cancelled, paid] = [await own.request({ amount: 12_000 }), await own.request({ amount: 12_000 })];
    await own.cancel(cancelled.id);
    await own.pay(paid.payId, 12_000);
    await eventually("both are released", async () => {
      const released = await gateway.database.rows(
        "select from sandbox_ledger where kind = 'release' and reference = any ($1)",
        [[cancelled.id, paid.id]],
      );
      return released.length === 2;
    });
    const control = await own.request({ amount: 12_000 });
    await own.advance(3_601);
    await eventually("the control request is paid", async () => {
      return (await own.read(control.id)).paymentRequestStatus === "completed";
    });
    for (const { id } of [cancelled, paid]) assert.equal("payIdReturns" in (await own.read(id)), false);
  });
});
