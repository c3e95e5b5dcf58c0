import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import {
  answerChallenge,
  CARD,
  callApi,
  eventsOf,
  getRequest,
  getTransaction,
  ok,
  openFrame,
  payOnce,
  type Shop,
  shopOf,
} from "../../support/checkout.ts";
import { eventually } from "../../support/eventually.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { createHosted } from "../../support/hosted-page.ts";
import { assertInvariantsAndStop, findInDatabase } from "../../support/invariants.ts";
import { CARD_FORM, visitPage } from "../../support/visit-page.ts";

const CREATE = { paymentInstrument: "create" };
const SECURE = { authenticationType: "3d_secure" };

let gateway: TestGateway;
let shop: Shop;
before(async () => {
  gateway = await startTestGateway();
  shop = shopOf(gateway);
});
after(() => assertInvariantsAndStop(gateway));

/** Counts of customers, payment instruments and vaulted numbers. */
async function countStored(): Promise<readonly number[]> {
  const [row] = await gateway.database.rows(
    `select (select count(*)::int from customers) as a, (select count(*)::int from payment_instruments) as b,
       (select count(*)::int from vault_secrets) as c`,
  );
  return Object.values(row as Record<string, number>);
}

describe("spec 4, tokenisation: an approved checkout stores the card", () => {
  test("for a new customer, shown in customerResult, the transaction and the events", async () => {
    const customerRequest = { ...CREATE, name: "Ann Lee", email: "ann@example.com" };
    const { requestId, transactionId } = await payOnce(shop, { customerRequest }, { consent: true });
    const request = await getRequest(shop, requestId);
    const { customerResult } = request;
    assert.deepEqual(customerResult, {
      id: customerResult.id,
      location: `${shop.baseUrl}/customers/${customerResult.id}`,
      paymentInstrumentId: customerResult.paymentInstrumentId,
      paymentInstrumentLocation: `${shop.baseUrl}/customers/${customerResult.id}/paymentinstruments/${customerResult.paymentInstrumentId}`,
    });
    const customer = ok(await callApi(shop, "GET", `/customers/${customerResult.id}`));
    assert.equal(customer.name, "Ann Lee");
    assert.equal(customer.email, "aXXXXXXXXXX@example.com");
    assert.equal(customer.paymentInstruments[0].card.last4, "1111");
    const { payment } = await getTransaction(shop, transactionId);
    assert.deepEqual(payment.instrument.customer, {
      id: customerResult.id,
      paymentInstrumentId: customerResult.paymentInstrumentId,
    });
    assert.equal((await eventsOf(shop, customerResult.id)).length, 1);
    assert.equal((await eventsOf(shop, customerResult.paymentInstrumentId)).length, 1);
    const [, completed] = await eventsOf(shop, requestId);
    assert.deepEqual(completed.payload.customerResult, customerResult);
  });

  test("contract 6: the card has the form's name first, the customer the request's; else VALUED CARDHOLDER", async () => {
    const names: readonly [object, string | undefined, string, string][] = [
      [{ ...CREATE, name: "Ann Lee" }, "Bo Chen", "Bo Chen", "Ann Lee"],
      [{ ...CREATE, name: "Ann Lee" }, undefined, "Ann Lee", "Ann Lee"],
      [CREATE, "Bo Chen", "Bo Chen", "Bo Chen"],
      [CREATE, undefined, "VALUED CARDHOLDER", "VALUED CARDHOLDER"],
    ];
    for (const [customerRequest, typed, onCard, ofCustomer] of names) {
      const pay = { consent: true, ...(typed === undefined ? {} : { card: { name: typed } }) };
      const { requestId } = await payOnce(shop, { customerRequest }, pay);
      const { customerResult } = await getRequest(shop, requestId);
      const customer = ok(await callApi(shop, "GET", `/customers/${customerResult.id}`));
      assert.equal(customer.name, ofCustomer);
      assert.equal(customer.paymentInstruments[0].card.name, onCard);
      assert.equal("email" in customer, false);
    }
  });

  test("for the customer that the merchant named", async () => {
    const { id } = ok(await callApi(shop, "POST", "/customers", { name: "Ann", email: "ann@example.com" }));
    for (const count of [1, 2]) {
      const { requestId } = await payOnce(shop, { customerRequest: { ...CREATE, id } }, { consent: true });
      assert.equal((await getRequest(shop, requestId)).customerResult.id, id);
      assert.equal(ok(await callApi(shop, "GET", `/customers/${id}`)).count, count);
    }
  });

  test("on the hosted page as in the embedded checkout", async () => {
    const { id, hostedPaymentPage } = await createHosted(shop, { more: { customerRequest: CREATE } });
    await visitPage(shop, hostedPaymentPage.url, { ...CARD_FORM, consent: "yes" });
    assert.match((await getRequest(shop, id)).customerResult.paymentInstrumentId, /^pi_/);
  });

  test("after a passed challenge", async () => {
    const frame = await openFrame(shop, { amount: 14418, category: SECURE, customerRequest: CREATE });
    const before = await countStored();
    const { challenge } = ok(await frame.pay({ consent: true }));
    assert.deepEqual(await countStored(), before, "nothing is stored during the challenge");
    await answerChallenge(shop, challenge.url, "approve");
    assert.equal(ok(await frame.continue(challenge.sealed)).state, "approved");
    const { customerResult } = await getRequest(shop, frame.requestId);
    const charged = await callApi(shop, "POST", "/transactions", {
      payment: {
        amount: 100,
        instrument: {
          customer: { id: customerResult.id, paymentInstrumentId: customerResult.paymentInstrumentId },
        },
      },
    });
    assert.equal(ok(charged).result.status, "approved");
  });

  test("also when the acquirer's response is lost and an inquiry finds the approval", async () => {
    const { requestId } = await payOnce(shop, { amount: 14481, customerRequest: CREATE }, { consent: true });
    const known = await eventually("the request completes", async () => {
      const read = await getRequest(shop, requestId);
      return read.paymentRequestStatus === "completed" && read;
    });
    assert.match(known.customerResult.paymentInstrumentId, /^pi_/);
  });
});

describe("I14: nothing is stored without an approval", () => {
  test("a decline, a failed and an abandoned 3D Secure store no customer, instrument or number", async () => {
    const before = await countStored();
    const cases = [{ amount: 14405 }, { amount: 14482 }, { amount: 14417, category: SECURE }];
    for (const overrides of cases) {
      const { requestId } = await payOnce(shop, { ...overrides, customerRequest: CREATE }, { consent: true });
      assert.equal((await getRequest(shop, requestId)).customerResult, undefined);
    }
    const frame = await openFrame(shop, { amount: 14418, category: SECURE, customerRequest: CREATE });
    ok(await frame.pay({ consent: true }));
    ok(await frame.abandon());
    assert.deepEqual(await countStored(), before);
    // Control: an approval stores one of each.
    await payOnce(shop, { customerRequest: CREATE }, { consent: true });
    assert.deepEqual(
      await countStored(),
      before.map((count) => count + 1),
    );
  });

  test("contract 11: with `single`, without the payer's consent the payment goes on and nothing is stored", async () => {
    const before = await countStored();
    for (const category of [undefined, { frequency: "single" }]) {
      const overrides = { customerRequest: CREATE, ...(category && { category }) };
      const { requestId, transactionId, paid } = await payOnce(shop, overrides, { consent: false });
      assert.equal(paid.state, "approved");
      const request = await getRequest(shop, requestId);
      assert.equal(request.paymentRequestStatus, "completed");
      assert.equal("customerResult" in request, false);
      const { payment } = await getTransaction(shop, transactionId);
      assert.equal("customer" in payment.instrument, false);
    }
    assert.deepEqual(await countStored(), before);
  });

  test("contract 11: with `recurring` or an agreement paying is the consent, and the card is stored", async () => {
    const agreementDetails = {
      description: "Coffee club",
      amount: 3000,
      frequency: "monthly",
      managementURL: "https://shop.example/club",
    };
    for (const overrides of [
      { category: { frequency: "recurring" } },
      { agreementDetails, paymentMethods: ["card", "apple_pay"] },
    ]) {
      const frame = await openFrame(shop, { customerRequest: CREATE, ...overrides });
      assert.equal(frame.shown.storeCard, "always");
      assert.equal(ok(await frame.pay({ consent: true })).state, "approved");
      assert.ok((await getRequest(shop, frame.requestId)).customerResult.paymentInstrumentId);
    }
  });

  test("without a request to store nothing is stored", async () => {
    const before = await countStored();
    await payOnce(shop, { customerRequest: { name: "Ann", email: "ann@example.com" } }, { consent: true });
    assert.deepEqual(await countStored(), before);
  });

  test("the card number is stored in clear nowhere", async () => {
    const number = "4929119935365195";
    await payOnce(shop, { customerRequest: CREATE }, { consent: true, card: { ...CARD, number } });
    assert.deepEqual(await findInDatabase(gateway.database, number), []);
  });
});
