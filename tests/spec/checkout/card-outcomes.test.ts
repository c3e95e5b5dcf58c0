import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { eventsOf, getRequest, getTransaction, payOnce, type Shop, shopOf } from "../../support/checkout.ts";
import { shownCode } from "../../support/codes.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { assertInvariantsAndStop } from "../../support/invariants.ts";

/** Contract 9, restated: the last two digits of the amount and the acquirer's response. */
const APPROVALS = "00 approved, 08 honor_with_identification, 11 approved_vip, 16 approved_update_track_3";
const DECLINES = `01 refer_to_issuer, 03 no_merchant, 04 pick_up_card, 05 do_not_honour, 06 error,
  10 partial_approval_refused,  12 invalid_transaction, 13 invalid_amount, 14 invalid_card_number, 15 no_issuer, 22 suspected_malfunction,
  30 format_error, 31 bank_not_supported_by_switch, 34 suspected_fraud_retain_card, 41 lost_card,
  42 no_universal_account, 43 stolen_card, 51 insufficient_funds, 54 expired_card, 56 no_card_record,
  57 function_not_permitted_to_cardholder, 58 function_not_permitted_to_terminal, 59 suspected_fraud,
  62 restricted_card, 67 capture_card, 91 card_issuer_unavailable, 92 unable_to_route_transaction`;

const rowsOf = (table: string, prefix: string) =>
  table.split(",").map((row) => {
    const [digits = "", message = ""] = row.trim().split(" ");
    return { amount: 14_400 + Number(digits), code: { id: prefix + digits, message } };
  });

describe("contract 9: the amount selects the outcome of a card payment", { concurrency: 4 }, () => {
  let gateway: TestGateway;
  let shop: Shop;
  before(async () => {
    gateway = await startTestGateway();
    shop = shopOf(gateway);
  });
  after(() => assertInvariantsAndStop(gateway));

  const linkTo = (id: string) => ({ id, location: `${gateway.baseUrl}/transactions/${id}` });

  async function assertOutcome(amount: number, status: "approved" | "declined", code: string) {
    const { paid, requestId, transactionId } = await payOnce(shop, { amount });
    const result = { mode: "sandbox", status, codes: [shownCode(code, gateway.baseUrl)] };
    assert.equal(paid.state, status);
    assert.deepEqual(paid.result, result);
    const transaction = await getTransaction(shop, transactionId);
    assert.deepEqual(transaction.result, result);
    assert.equal(transaction.captureStatus, status === "approved" ? "captured" : undefined);
    assert.equal(transaction.payment.capturedAmount, status === "approved" ? amount : 0);
    const request = await getRequest(shop, requestId);
    assert.equal(request.paymentRequestStatus, "completed");
    assert.deepEqual(
      [request.transactionResult, request.transactionAttempts],
      status === "approved" ? [linkTo(transactionId), undefined] : [undefined, [linkTo(transactionId)]],
    );
    return transaction;
  }

  for (const { amount, code } of rowsOf(APPROVALS, "A020")) {
    test(`${amount} is approved as ${code.id} ${code.message}`, async () =>
      void (await assertOutcome(amount, "approved", `${code.id} ${code.message}`)));
  }
  const advised: Readonly<Record<number, string | undefined>> = {
    14405: undefined,
    14443: "never",
    14451: "later",
    14454: "never",
    14491: "later",
  };
  for (const { amount, code } of rowsOf(DECLINES, "D044")) {
    test(`${amount} is declined as ${code.id} ${code.message}`, async () => {
      const { id, acquirer } = await assertOutcome(amount, "declined", `${code.id} ${code.message}`);
      if (!(amount in advised)) return;
      const { payload } = (await eventsOf(shop, id)).at(-1) ?? {};
      for (const facts of [acquirer, payload.acquirer]) assert.equal(facts.retryAdvice, advised[amount]);
    });
  }

  for (const amount of [1, 14_399, 14_402, 14_420, 14_499, 99_999_999_999]) {
    test(`${amount}, which is not a scenario, is approved`, async () =>
      void (await assertOutcome(amount, "approved", "A02000 approved")));
  }
  for (const amount of [14_417, 14_418]) {
    test(`${amount} is approved without 3D Secure`, async () => {
      const transaction = await assertOutcome(amount, "approved", "A02000 approved");
      assert.equal(transaction.authentication, undefined);
    });
  }

  test("14419 is declined on the first attempt, and the embedded checkout allows one attempt", async () =>
    void (await assertOutcome(14_419, "declined", "D04405 do_not_honour")));

  test("14482 is declined: the acquirer is unavailable", async () =>
    void (await assertOutcome(14_482, "declined", "D10009 downstream_error")));

  for (const [status, amount] of [["approved", 3000] as const, ["declined", 14_451] as const]) {
    test(`an ${status} payment publishes each change once, in order, as GET returns it`, async () => {
      const { requestId, transactionId } = await payOnce(shop, { amount, reference: "order-7" });
      const [transaction, request] = [
        await getTransaction(shop, transactionId),
        await getRequest(shop, requestId),
      ];
      const ofTransaction = await eventsOf(shop, transactionId);
      assert.deepEqual(
        ofTransaction.map(
          (event: { payload: { result: { status: string } } }) => event.payload.result.status,
        ),
        ["pending", status],
      );
      assert.deepEqual(ofTransaction[1].payload, transaction);
      assert.equal(ofTransaction[0].payload.captureStatus, undefined);
      assert.equal(ofTransaction[0].payload.updatedDateTime, transaction.createdDateTime);
      assert.ok(ofTransaction[0].payload.updatedDateTime < ofTransaction[1].payload.updatedDateTime);
      const ofRequest = await eventsOf(shop, requestId);
      assert.deepEqual(
        ofRequest.map(
          (event: { payload: { paymentRequestStatus: string } }) => event.payload.paymentRequestStatus,
        ),
        ["created", "completed"],
      );
      assert.deepEqual(ofRequest[1].payload, request);
      for (const event of [...ofTransaction, ...ofRequest]) {
        assert.equal(event.reference, "order-7");
        assert.equal(event.version, "1.0.0");
      }
      assert.ok(ofTransaction.every((event: { event: string }) => event.event === "transactions"));
      assert.ok(ofRequest.every((event: { event: string }) => event.event === "payment_requests"));
    });
  }

  test("a transaction has the fields of contract 5", async () => {
    const category = { frequency: "recurring", captureType: "auto" };
    const { requestId, transactionId } = await payOnce(
      shop,
      { reference: "order-8", currencyCode: "NZD", category },
      { card: { name: "  Ada Lovelace " } },
    );
    const { createdDateTime, updatedDateTime, acquirer, ...rest } = await getTransaction(shop, transactionId);
    assert.deepEqual(Object.keys(acquirer).sort(), [
      "authorisationCode",
      "connector",
      "networkTransactionId",
      "responseCode",
      "retrievalReference",
      "securityCodeResult",
    ]);
    assert.deepEqual([acquirer.connector, acquirer.responseCode], ["sandbox", "00"]);
    assert.match(createdDateTime, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.ok(updatedDateTime > createdDateTime);
    assert.deepEqual(rest, {
      id: transactionId,
      reference: "order-8",
      paymentRequestId: requestId,
      category: {
        method: "purchase",
        source: "card",
        origin: "internet",
        frequency: "recurring",
        captureType: "auto",
      },
      payment: {
        amount: 3000,
        surcharge: 0,
        totalAmount: 3000,
        capturedAmount: 3000,
        refundedAmount: 0,
        currencyCode: "NZD",
        instrument: {
          card: {
            name: "Ada Lovelace",
            last4: "1111",
            expiryMonth: 12,
            expiryYear: new Date().getUTCFullYear() + 3,
            cardType: "visa",
          },
        },
      },
      captureStatus: "captured",
      result: { mode: "sandbox", status: "approved", codes: [shownCode("A02000 approved", gateway.baseUrl)] },
    });
  });

  for (const [what, typed, known, expected] of [
    ["the payer's input overrides the merchant's", "Ada Lovelace", "Grace Hopper", "Ada Lovelace"],
    ["the merchant's if the payer's input is empty", " ", "Grace Hopper", "Grace Hopper"],
    ["the merchant's if the payer's input shows nothing", "\u200b\u3000", "Grace Hopper", "Grace Hopper"],
    ["VALUED CARDHOLDER otherwise", "", undefined, "VALUED CARDHOLDER"],
  ] as const) {
    test(`contract 5: a card always has a name: ${what}`, async () => {
      const overrides = known === undefined ? {} : { customerRequest: { name: known } };
      const { transactionId } = await payOnce(shop, overrides, { card: { name: typed } });
      const { payment } = await getTransaction(shop, transactionId);
      assert.equal(payment.instrument.card.name, expected);
    });
  }
});
