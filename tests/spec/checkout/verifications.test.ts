import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import {
  callApi,
  callFrame,
  eventsOf,
  getRequest,
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
import { withAcquirer } from "../../support/fake-acquirer.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { createHosted, LOGO } from "../../support/hosted-page.ts";
import { assertInvariantsAndStop, findUnsettled } from "../../support/invariants.ts";
import { CARD_FORM, visitPage } from "../../support/visit-page.ts";

const CREATE = { paymentInstrument: "create" };
const VERIFY = { amount: 0, customerRequest: CREATE };
const CONSENT = { consent: true };
const AMOUNT_REFUSED = "V11101 /payment/amount";

describe("contract 3: a verification stores a card without charging it", () => {
  let gateway: TestGateway;
  let shop: Shop;
  /** The acquirer's answers to verifications are lost, and it refuses their reversal. */
  let lossy: TestGateway;
  const called: string[] = [];
  before(async () => {
    gateway = await startTestGateway({
      wrapContext: (ctx) =>
        withAcquirer(ctx, (acquirer) => ({
          authorise: (request, signal) => {
            called.push(`authorise ${request.reference}`);
            return acquirer.authorise(request, signal);
          },
          verify: (request, signal) => {
            called.push(`verify ${request.reference} ${request.amount} ${request.storedCredential?.use}`);
            return acquirer.verify(request, signal);
          },
        })),
    });
    lossy = await startTestGateway({
      wrapContext: (ctx) =>
        withAcquirer(ctx, (acquirer) => ({
          verify: async (request, signal) => {
            await acquirer.verify(request, signal);
            throw new Error("planted");
          },
          reverse: async () => {
            throw new Error("planted");
          },
        })),
    });
    shop = shopOf(gateway);
  });
  after(async () => {
    await assertInvariantsAndStop(lossy);
    await assertInvariantsAndStop(gateway);
  });

  test("the acquirer verifies the card, and the record, the events and customerResult show it", async () => {
    const { paid, requestId, transactionId } = await payOnce(shop, VERIFY, CONSENT);
    assert.equal(paid.state, "approved");
    assert.deepEqual(
      called.filter((call) => call.includes(transactionId)),
      [`verify ${transactionId} 0 initial`],
    );
    const transaction = await getTransaction(shop, transactionId);
    const { category, payment, captureStatus, result } = transaction;
    assert.equal(category.method, "verification");
    assert.equal(captureStatus, undefined);
    const { amount, surcharge, totalAmount, capturedAmount, refundedAmount } = payment;
    assert.deepEqual([amount, surcharge, totalAmount, capturedAmount, refundedAmount], [0, 0, 0, 0, 0]);
    assert.deepEqual(result.codes, [shownCode("A02000 approved", gateway.baseUrl)]);
    const request = await getRequest(shop, requestId);
    assert.equal(request.paymentRequestStatus, "completed");
    assert.equal(request.payment.amount, 0);
    assert.equal(request.transactionResult.id, transactionId);
    const { customerResult } = request;
    assert.equal(payment.instrument.customer.paymentInstrumentId, customerResult.paymentInstrumentId);
    const [, approved] = await eventsOf(shop, transactionId);
    assert.equal(approved.payload.category.method, "verification");
    assert.equal((await eventsOf(shop, requestId)).at(-1).payload.paymentRequestStatus, "completed");

    const charge = ok(
      await callApi(shop, "POST", "/transactions", {
        payment: {
          amount: 2500,
          instrument: {
            customer: { id: customerResult.id, paymentInstrumentId: customerResult.paymentInstrumentId },
          },
        },
      }),
    );
    assert.deepEqual([charge.result.status, charge.category.method], ["approved", "purchase"]);
  });

  test("security code 000 declines it with D04405, and nothing is stored", async () => {
    const { requestId, transactionId } = await payOnce(shop, VERIFY, {
      ...CONSENT,
      card: { securityCode: "000" },
    });
    const { category, result } = await getTransaction(shop, transactionId);
    assert.equal(category.method, "verification");
    assert.deepEqual(result.codes, [shownCode("D04405 do_not_honour", gateway.baseUrl)]);
    const request = await getRequest(shop, requestId);
    assert.equal(request.paymentRequestStatus, "completed");
    assert.deepEqual([request.customerResult, request.transactionResult], [undefined, undefined]);
    const paid = await payOnce(shop, {}, { card: { securityCode: "000" } });
    assert.equal(paid.paid.state, "approved", "a payment is not declined by it");
  });

  test("an existing customer gets the card", async () => {
    const customer = ok(
      await callApi(shop, "POST", "/customers", { name: "Ann Lee", email: "ann@example.com" }),
    );
    const customerRequest = { ...CREATE, id: customer.id };
    const { requestId } = await payOnce(shop, { amount: 0, customerRequest }, CONSENT);
    assert.equal((await getRequest(shop, requestId)).customerResult.id, customer.id);
  });

  test("manual capture leaves nothing to capture, void, refund or pay out", async () => {
    const own = shopOf(gateway, (await gateway.newMerchant()).key);
    const category = { captureType: "manual" };
    const { transactionId } = await payOnce(own, { ...VERIFY, category }, CONSENT);
    assert.equal((await getTransaction(own, transactionId)).category.method, "verification");
    for (const action of ["capture", "cancel", "refunds"]) {
      assert.equal(
        (await callApi(own, "POST", `/transactions/${transactionId}/${action}`)).status,
        409,
        action,
      );
    }
    const refund = { payment: { amount: 1 } };
    assert.equal((await callApi(own, "POST", `/transactions/${transactionId}/refunds`, refund)).status, 409);
    ok(await callApi(own, "POST", "/sandbox/settlements/run"));
    assert.equal(ok(await callApi(own, "GET", "/payouts")).count, 0);
  });

  test("has no surcharge, and any other total is refused", async () => {
    const own = shopOf(gateway, (await gateway.newMerchant()).key);
    const rates = { visa: { percent: 1, fixed: 30 } };
    ok(await callApi(own, "PUT", "/management/account", { surcharging: { enabled: true, rates } }));
    const frame = await openFrame(own, VERIFY);
    assert.deepEqual([frame.shown.surcharging, frame.shown.storeCard], [null, "always"]);
    const answer = await frame.pay({ ...CONSENT, total: 1 });
    assert.equal(answer.status, 400);
    const { expected, given } = answer.body.result.codes[0];
    assert.deepEqual([expected, given], [0, 1]);
    const { transactionId } = ok(await frame.pay(CONSENT));
    assert.equal((await getTransaction(own, transactionId)).payment.surcharge, 0);
  });

  test("3D Secure authenticates the payer first", async () => {
    const category = { authenticationType: "3d_secure" };
    const { transactionId } = await payOnce(shop, { ...VERIFY, category }, CONSENT);
    const { authentication, result } = await getTransaction(shop, transactionId);
    assert.deepEqual([authentication.status, result.status], ["authenticated", "approved"]);
  });

  test("a total of 0 does not pay a request with an amount", async () => {
    const frame = await openFrame(shop, { amount: 1, customerRequest: CREATE });
    assert.equal((await frame.pay({ ...CONSENT, total: 0 })).status, 400);
    const { transactionId } = ok(await frame.pay(CONSENT));
    assert.equal((await getTransaction(shop, transactionId)).category.method, "purchase");
  });

  test("takes a typed card only: wallets are not offered", async () => {
    const frame = await openFrame(shop, { ...VERIFY, paymentMethods: ["card", "google_pay"] });
    assert.deepEqual(frame.shown.wallets, []);
    const body = { method: "google_pay", wallet: { token: {} }, total: 0, consent: true };
    const answer = await callFrame(shop, "/checkout/pay", body, frame.session);
    assert.notEqual(answer.status, 200);
    assert.equal(ok(await frame.pay(CONSENT)).state, "approved");
  });

  const checkout = { paymentMethods: ["card"], transactionRequest: {} };
  const refused: readonly [string, object][] = [
    ["0 without customerRequest", { ...checkout, payment: { amount: 0 } }],
    ["0 without create", { ...checkout, payment: { amount: 0 }, customerRequest: { name: "Ann Lee" } }],
    ["0 on a hosted page without create", { payment: { amount: 0 }, hostedPaymentPage: { logo: LOGO } }],
    [
      "0 by wallets alone",
      { ...checkout, paymentMethods: ["google_pay"], payment: { amount: 0 }, customerRequest: CREATE },
    ],
    [
      "0 by PayID",
      { payment: { amount: 0, instrument: { payId: { type: "single", value: "zero@pay.example" } } } },
    ],
    ["-1", { ...checkout, payment: { amount: -1 }, customerRequest: CREATE }],
  ];
  for (const [how, body] of refused) {
    test(`refuses an amount of ${how} with 400`, async () => {
      const answer = await callApi(shop, "POST", "/paymentrequests", body);
      assert.equal(answer.status, 400);
      assert.ok(problemsOf(answer).includes(AMOUNT_REFUSED), problemsOf(answer).join());
    });
  }

  test("refuses a charge of 0 with 400, and accepts one of 1", async () => {
    const { requestId } = await payOnce(shop, VERIFY, CONSENT);
    const { id, paymentInstrumentId } = (await getRequest(shop, requestId)).customerResult;
    const charge = (amount: number) =>
      callApi(shop, "POST", "/transactions", {
        payment: { amount, instrument: { customer: { id, paymentInstrumentId } } },
      });
    assert.equal((await charge(0)).status, 400);
    assert.equal((await charge(1)).status, 200);
  });

  test("without scripts the hosted page saves the card and shows no price", async () => {
    const { id, hostedPaymentPage } = await createHosted(shop, {
      amount: 0,
      page: { attempts: 2 },
      more: { customerRequest: CREATE },
    });
    const page = await visitPage(shop, hostedPaymentPage.url);
    assert.match(page.text, /<button class="pay"[^>]*><span class="pay-words">Save card</);
    assert.doesNotMatch(page.text, /\$0\.00|Amount to pay|type="checkbox"/);
    await visitPage(shop, hostedPaymentPage.url, { ...CARD_FORM, securityCode: "000" });
    assert.equal((await getRequest(shop, id)).transactionAttempts.length, 1);
    await visitPage(shop, hostedPaymentPage.url, { ...CARD_FORM, attempt: "1" });
    const done = await visitPage(shop, hostedPaymentPage.url);
    assert.equal(done.state, "approved");
    assert.match(done.text, /Card saved/);
    assert.doesNotMatch(done.text, /\$0\.00|Payment approved/);
    assert.ok((await getRequest(shop, id)).customerResult.paymentInstrumentId);
  });

  test("an outcome that stays unknown is declined, and nothing is stored", async () => {
    const other = shopOf(lossy);
    const { paid, requestId, transactionId } = await payOnce(other, VERIFY, CONSENT);
    assert.equal(paid.state, "pending");
    await eventually(
      "the verification is declined",
      async () => (await getTransaction(other, transactionId)).result.status === "declined",
    );
    const { result } = await getTransaction(other, transactionId);
    assert.equal(result.codes[0].id, "D10009");
    const request = await getRequest(other, requestId);
    assert.deepEqual([request.paymentRequestStatus, request.customerResult], ["completed", undefined]);
    assert.deepEqual(await lossy.database.rows("select 1 from vault_secrets"), []);
    await eventually("nothing is unsettled", async () => (await findUnsettled(lossy.database)).length === 0);
  });
});
