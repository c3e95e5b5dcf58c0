import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { assertRefused } from "../../support/answers.ts";
import { payOnce, shopOf } from "../../support/checkout.ts";
import { eventually } from "../../support/eventually.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { stopSound } from "../../support/invariants.ts";
import { payIdShop } from "../../support/payid.ts";

let gateway: TestGateway;
let shop: ReturnType<typeof payIdShop>;
before(async () => {
  gateway = await startTestGateway({ environment: { TIDEGATE_SANDBOX_SETTLEMENT_SECONDS: "3600" } });
  shop = payIdShop(gateway);
});
after(() => stopSound(gateway));

/** A PayID payment that was made: its transaction's id. */
async function paid(amount: number): Promise<string> {
  const { id, payId } = await shop.request({ amount });
  await shop.pay(payId, amount);
  return (await shop.read(id)).transactionResult.id;
}

/** A refund that was asked for, after the settlement delay. */
async function settled(transactionId: string, amount?: number) {
  const asked = await shop.refund(transactionId, amount);
  assert.equal(asked.body.result.status, "pending");
  await shop.advance(3_601);
  return eventually("the refund is settled", async () => {
    const refund = await shop.refundOf(transactionId, asked.body.id);
    return refund.result.status !== "pending" && refund;
  });
}

const book = (book: string, reference: string) =>
  gateway.database.rows<{ amount: string }>(
    "select amount from sandbox_books where book = $1 and kind = 'refund' and reference = $2",
    [book, reference],
  );

describe("spec 4: a completed PayID request is refunded by POST /transactions/{id}/refunds", () => {
  test("pending at first, approved after the settlement delay, through the PayID rail and nobody else", async () => {
    const transactionId = await paid(3000);
    const asked = await shop.refund(transactionId);
    assert.deepEqual([asked.status, asked.body.result.status], [200, "pending"]);
    assert.deepEqual(asked.body.payment, { amount: 3000, currencyCode: "AUD" });
    assert.equal((await shop.transaction(transactionId)).payment.refundedAmount, 0);
    await shop.advance(3_601);
    await eventually("the refund is approved", async () => {
      const { result } = await shop.refundOf(transactionId, asked.body.id);
      return result.status === "approved";
    });
    assert.equal((await shop.transaction(transactionId)).payment.refundedAmount, 3000);
    assert.equal((await book("payid", asked.body.id)).length, 1);
    assert.equal((await book("acquirer", asked.body.id)).length, 0);
    assert.deepEqual(
      (await shop.told(asked.body.id)).map(({ event, payload }) => [event, payload.result.status]),
      [
        ["transactions", "pending"],
        ["transactions", "approved"],
      ],
    );
  });

  test("11400 is declined with D10000, and its money can be refunded in another way", async () => {
    const transactionId = await paid(20_000);
    const declined = await settled(transactionId, 11_400);
    assert.deepEqual(declined.result, {
      mode: "sandbox",
      status: "declined",
      codes: [{ id: "D10000", message: "declined" }],
    });
    assert.equal((await shop.transaction(transactionId)).payment.refundedAmount, 0);
    assert.equal((await settled(transactionId, 11_401)).result.status, "approved");
    assert.equal((await settled(transactionId)).payment.amount, 8_599);
    assertRefused(await shop.refund(transactionId), 409, ["V11721", "/payment/amount"]);
  });

  test("amounts that a card refund is declined with mean nothing here", async () => {
    const transactionId = await paid(20_000);
    assert.equal((await settled(transactionId, 14_405)).result.status, "approved");
  });

  test("refunds at once never give back more than was paid", async () => {
    const transactionId = await paid(3000);
    const answers = await Promise.all(Array.from({ length: 10 }, () => shop.refund(transactionId, 1000)));
    assert.equal(answers.filter(({ status }) => status === 200).length, 3);
    assert.equal(answers.filter(({ status }) => status === 409).length, 7);
  });

  test("a card payment is refunded by its acquirer as ever", async () => {
    const { transactionId } = await payOnce(shopOf(gateway), { amount: 20_000 });
    const refund = await settled(transactionId, 11_400);
    assert.equal(refund.result.status, "approved");
    assert.equal((await book("acquirer", refund.id)).length, 1);
    assert.equal((await book("payid", refund.id)).length, 0);
  });
});

describe("contract 5: a PayID payment is captured from the start", () => {
  test("it can be neither captured nor cancelled", async () => {
    const transactionId = await paid(3000);
    for (const verb of ["capture", "cancel"])
      assertRefused(await gateway.post(`/transactions/${transactionId}/${verb}`), 409, "V11710");
  });
});
