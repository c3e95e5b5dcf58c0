import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { CardAcquirer } from "../../../src/connectors/ports/card-acquirer.ts";
import { decline } from "../../../src/kernel/codes/outcomes.ts";
import {
  callApi,
  eventsOf,
  getRequest,
  getTransaction,
  ok,
  payOnce,
  problemsOf,
  type Shop,
  shopOf,
  startDay,
} from "../../support/checkout.ts";
import { shownCode } from "../../support/codes.ts";
import { eventually } from "../../support/eventually.ts";
import { withAcquirer } from "../../support/fake-acquirer.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { assertInvariantsAndStop } from "../../support/invariants.ts";
import { chargeOf, type Stored, storedCard } from "../../support/stored-cards.ts";

const REFUSED = "D04410 partial_approval_refused";
const PARTIAL = "A02010 approved_for_partial_amount";
const ACCEPT = { category: { partialApproval: "accept" } };
const AMOUNT = 14_410;
const APPROVED = 7_205;

describe("contract 5: a partial approval", () => {
  let gateway: TestGateway;
  let shop: Shop;
  let card: Stored;
  /** Replaces calls of the acquirer. */
  let acquirerAnswers: Partial<CardAcquirer> = {};
  before(async () => {
    gateway = await startTestGateway({ wrapContext: (ctx) => withAcquirer(ctx, () => acquirerAnswers) });
    shop = shopOf(gateway);
    card = await storedCard(shop);
  });
  after(() => assertInvariantsAndStop(gateway));

  /** The acquirer's own ledger, as the sum of its entries. */
  async function heldAtAcquirer(reference: string): Promise<number> {
    const [row] = await gateway.database.rows<{ held: number }>(
      `select coalesce(sum(case kind when 'authorisation' then amount else -amount end), 0)::int as held
       from sandbox_ledger where ledger = 'acquirer' and reference = $1 and kind in ('authorisation', 'reversal')`,
      [reference],
    );
    return row?.held ?? 0;
  }

  for (const [what, overrides] of [
    ["by default", {}],
    ["with `decline`", { category: { partialApproval: "decline" } }],
  ] as const) {
    test(`is reversed and declined ${what}`, async () => {
      const { paid, requestId, transactionId } = await payOnce(shop, { amount: AMOUNT, ...overrides });
      assert.deepEqual(paid.result, {
        mode: "sandbox",
        status: "declined",
        codes: [shownCode(REFUSED, gateway.baseUrl)],
      });
      assert.equal(paid.charged, undefined);
      const { payment, category, captureStatus } = await getTransaction(shop, transactionId);
      assert.deepEqual(
        [payment.capturedAmount, payment.approvedAmount, captureStatus],
        [0, undefined, undefined],
      );
      assert.equal(category.partialApproval, undefined);
      assert.equal(await heldAtAcquirer(transactionId), 0);
      assert.equal((await eventsOf(shop, transactionId)).length, 2);
      const request = await getRequest(shop, requestId);
      assert.equal(request.transactionResult, undefined);
      assert.equal(
        request.transactionRequest.category.partialApproval,
        "category" in overrides ? "decline" : undefined,
      );
    });
  }

  test("with `accept` is approved: what was approved is captured, shown, refundable and paid out", async () => {
    const ours = await startDay(shopOf(gateway, (await gateway.newMerchant()).key));
    const { paid, requestId, transactionId } = await payOnce(ours, { amount: AMOUNT, ...ACCEPT });
    assert.deepEqual(paid.result, {
      mode: "sandbox",
      status: "approved",
      codes: [shownCode(PARTIAL, gateway.baseUrl)],
    });
    assert.equal(paid.charged, APPROVED);
    const transaction = await getTransaction(ours, transactionId);
    const { amount, totalAmount, approvedAmount, capturedAmount } = transaction.payment;
    assert.deepEqual([amount, totalAmount], [AMOUNT, AMOUNT]);
    assert.deepEqual([approvedAmount, capturedAmount], [APPROVED, APPROVED]);
    assert.equal(transaction.category.partialApproval, "accept");
    assert.equal(await heldAtAcquirer(transactionId), APPROVED);
    const request = await getRequest(ours, requestId);
    assert.equal(request.transactionResult.id, transactionId);
    assert.equal(request.transactionRequest.category.partialApproval, "accept");

    const refund = (part: number) =>
      callApi(ours, "POST", `/transactions/${transactionId}/refunds`, { payment: { amount: part } });
    assert.deepEqual(problemsOf(await refund(APPROVED + 1)), ["V11721 /payment/amount"]);
    ok(await refund(205));
    ok(await callApi(ours, "POST", "/sandbox/settlements/run"));
    const { payouts } = ok(await callApi(ours, "GET", "/payouts"));
    assert.deepEqual(
      payouts.map((payout: { payment: { amount: number } }) => payout.payment.amount),
      [APPROVED - 205],
    );
  });

  test("of an authorisation is the most that can be captured", async () => {
    const category = { captureType: "manual", partialApproval: "accept" };
    const pay = async () => (await payOnce(shop, { amount: AMOUNT, category })).transactionId;
    const [all, part, voided] = [await pay(), await pay(), await pay()];
    const { payment, captureStatus } = await getTransaction(shop, all);
    assert.deepEqual(
      [payment.approvedAmount, payment.capturedAmount, captureStatus],
      [APPROVED, 0, "uncaptured"],
    );
    const capture = (id: string, amount?: number) =>
      callApi(shop, "POST", `/transactions/${id}/capture`, amount && { payment: { amount } });
    const above = await capture(all, APPROVED + 1);
    assert.deepEqual([above.status, problemsOf(above)], [409, ["V11711 /payment/amount"]]);
    assert.equal(ok(await capture(all)).payment.capturedAmount, APPROVED);
    assert.equal(ok(await capture(part, 5)).payment.capturedAmount, 5);
    assert.equal(ok(await callApi(shop, "POST", `/transactions/${voided}/cancel`)).captureStatus, "voided");
    assert.equal(await heldAtAcquirer(voided), 0);
  });

  test("of a stored card's charge follows `category.partialApproval`", async () => {
    const charge = (category?: Readonly<Record<string, string>>) =>
      callApi(
        shop,
        "POST",
        "/transactions",
        chargeOf(card, { amount: AMOUNT, ...(category && { category }) }),
      );
    const refused = ok(await charge());
    assert.deepEqual(refused.result.codes, [shownCode(REFUSED, gateway.baseUrl)]);
    assert.equal(await heldAtAcquirer(refused.id), 0);
    const taken = ok(await charge({ partialApproval: "accept" }));
    assert.deepEqual(
      [taken.result.codes, taken.payment.capturedAmount],
      [[shownCode(PARTIAL, gateway.baseUrl)], APPROVED],
    );
    for (const value of ["", "Accept", "no"]) {
      const answer = await charge({ partialApproval: value });
      assert.deepEqual([answer.status, problemsOf(answer)], [400, ["V11744 /category/partialApproval"]]);
    }
  });

  test("is pending while its reversal is not confirmed, and declined with the same code afterwards", async () => {
    for (const reverse of [
      async () => ({ kind: "unknown" }) as const,
      async () => decline("suspected_malfunction"),
      async () => Promise.reject(new Error("planted")),
    ]) {
      acquirerAnswers = { reverse };
      const { paid, transactionId } = await payOnce(shop, { amount: AMOUNT });
      assert.deepEqual(paid.result, { mode: "sandbox", status: "pending" });
      acquirerAnswers = {};
      await gateway.database.rows("update jobs set due_at = now() where kind = 'checkout_recover'");
      await eventually("it is declined", async () => {
        return (await getTransaction(shop, transactionId)).result.status === "declined";
      });
      assert.deepEqual((await getTransaction(shop, transactionId)).result.codes, [
        shownCode(REFUSED, gateway.baseUrl),
      ]);
      assert.equal(await heldAtAcquirer(transactionId), 0);
    }
  });

  test("a full approval of a request that accepts a part is not one", async () => {
    const { paid, transactionId } = await payOnce(shop, ACCEPT);
    assert.equal(paid.charged, undefined);
    const { payment } = await getTransaction(shop, transactionId);
    assert.deepEqual([payment.approvedAmount, payment.capturedAmount], [undefined, 3000]);
  });
});
