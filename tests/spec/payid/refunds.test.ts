import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { assertRefused } from "../../support/answers.ts";
import { payOnce, shopOf } from "../../support/checkout.ts";
import { shownCode } from "../../support/codes.ts";
import { eventually } from "../../support/eventually.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { assertInvariantsAndStop } from "../../support/invariants.ts";
import { payIdShop } from "../../support/payid.ts";

let gateway: TestGateway;
let shop: ReturnType<typeof payIdShop>;
before(async () => {
  gateway = await startTestGateway({ environment: { TIDEGATE_SANDBOX_SETTLEMENT_SECONDS: "3600" } });
  shop = payIdShop(gateway);
});
after(() => assertInvariantsAndStop(gateway));

/** Returns the id of the transaction of a completed PayID payment. */
async function paidTransaction(amount: number): Promise<string> {
  const { id, payId } = await shop.request({ amount });
  await shop.pay(payId, amount);
  return (await shop.read(id)).transactionResult.id;
}

/** Requests a refund and returns it after the settlement delay. */
async function settledRefund(transactionId: string, amount?: number) {
  const requested = await shop.refund(transactionId, amount);
  assert.equal(requested.body.result.status, "pending");
  await shop.advance(3_601);
  return eventually("the refund is settled", async () => {
    const refund = await shop.refundOf(transactionId, requested.body.id);
    return refund.result.status !== "pending" && refund;
  });
}

const refundsIn = (ledger: string, reference: string) =>
  gateway.database.rows<{ amount: string }>(
    "select amount from sandbox_ledger where ledger = $1 and kind = 'refund' and reference = $2",
    [ledger, reference],
  );

describe("spec 4: POST /transactions/{id}/refunds refunds a completed PayID payment", () => {
  test("is pending, then approved after the settlement delay, through the PayID rail only", async () => {
    const transactionId = await paidTransaction(3000);
    const requested = await shop.refund(transactionId);
    assert.deepEqual([requested.status, requested.body.result.status], [200, "pending"]);
    assert.deepEqual(requested.body.payment, { amount: 3000, currencyCode: "AUD" });
    assert.equal((await shop.transaction(transactionId)).payment.refundedAmount, 0);
    await shop.advance(3_601);
    await eventually("the refund is approved", async () => {
      const { result } = await shop.refundOf(transactionId, requested.body.id);
      return result.status === "approved";
    });
    assert.equal((await shop.transaction(transactionId)).payment.refundedAmount, 3000);
    assert.equal((await refundsIn("payid", requested.body.id)).length, 1);
    assert.equal((await refundsIn("acquirer", requested.body.id)).length, 0);
    assert.deepEqual(
      (await shop.eventsOf(requested.body.id)).map(({ event, payload }) => [event, payload.result.status]),
      [
        ["transactions", "pending"],
        ["transactions", "approved"],
      ],
    );
  });

  test("11400 is declined with D10000, and the amount stays refundable", async () => {
    const transactionId = await paidTransaction(20_000);
    const declined = await settledRefund(transactionId, 11_400);
    assert.deepEqual(declined.result, {
      mode: "sandbox",
      status: "declined",
      codes: [shownCode("D10000 declined", gateway.baseUrl, "operation")],
    });
    assert.equal((await shop.transaction(transactionId)).payment.refundedAmount, 0);
    assert.equal((await settledRefund(transactionId, 11_401)).result.status, "approved");
    assert.equal((await settledRefund(transactionId)).payment.amount, 8_599);
    assertRefused(await shop.refund(transactionId), 409, ["V11721", "/payment/amount"]);
  });

  test("the card scenarios do not apply", async () => {
    const transactionId = await paidTransaction(20_000);
    assert.equal((await settledRefund(transactionId, 14_405)).result.status, "approved");
  });

  test("concurrent refunds never exceed the amount paid", async () => {
    const transactionId = await paidTransaction(3000);
    const answers = await Promise.all(Array.from({ length: 10 }, () => shop.refund(transactionId, 1000)));
    assert.equal(answers.filter(({ status }) => status === 200).length, 3);
    assert.equal(answers.filter(({ status }) => status === 409).length, 7);
  });

  test("a card payment is refunded through its acquirer", async () => {
    const { transactionId } = await payOnce(shopOf(gateway), { amount: 20_000 });
    const refund = await settledRefund(transactionId, 11_400);
    assert.equal(refund.result.status, "approved");
    assert.equal((await refundsIn("acquirer", refund.id)).length, 1);
    assert.equal((await refundsIn("payid", refund.id)).length, 0);
  });
});

describe("contract 5: a PayID payment is captured on receipt", () => {
  test("it cannot be captured or cancelled", async () => {
    const transactionId = await paidTransaction(3000);
    for (const verb of ["capture", "cancel"])
      assertRefused(await gateway.post(`/transactions/${transactionId}/${verb}`), 409, "V11710");
  });
});
