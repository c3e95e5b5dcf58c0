import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { AuthorisationRequest } from "../../../src/connectors/ports/card-acquirer.ts";
import { newId } from "../../../src/kernel/ids.ts";
import { cents } from "../../../src/kernel/money.ts";
import { DAY, instant, MINUTE } from "../../../src/kernel/time.ts";
import { DESCRIPTIONS_MISSING, findAdyenDescription } from "../../support/adyen-description.ts";
import { shapeProblems } from "../../support/adyen-shapes.ts";
import type { RecordedCall } from "../../support/fake-adyen.ts";
import {
  approvedPayment,
  newOperation,
  newRequest,
  type OpenAdyen,
  openAdyen,
  paymentOf,
  WAIT,
} from "./open-adyen.ts";

const CUSTOMER = "cus_01k9zq4m8x000abcdefghjkmnpqrs";

type Body = Readonly<Record<string, unknown>>;

describe("Adyen: requests", () => {
  let adyen: OpenAdyen;
  let now = instant(Date.now());
  before(async () => {
    adyen = await openAdyen({ now: () => now });
  });
  after(() => adyen.close());

  const lastCall = (): RecordedCall => adyen.fake.calls.at(-1) ?? assert.fail("no call");

  async function sent(changes: Partial<AuthorisationRequest>): Promise<Body> {
    await adyen.acquirer.authorise(newRequest(changes), WAIT);
    return lastCall().body;
  }

  test("a payment carries our reference, the raw card and the total; the key is in its header", async () => {
    const request = newRequest();
    await adyen.acquirer.authorise(request, WAIT);
    const { path, headers, body } = lastCall();
    assert.equal(path, "/payments");
    assert.equal(headers["x-api-key"], adyen.fake.settings.apiKey);
    assert.deepEqual(body, {
      merchantAccount: adyen.fake.settings.merchantAccount,
      returnUrl: "http://localhost:3000",
      reference: request.reference,
      merchantOrderReference: request.paymentRequestId,
      amount: { value: 3000, currency: "AUD" },
      paymentMethod: {
        type: "scheme",
        number: "4111111111111111",
        expiryMonth: "03",
        expiryYear: "2030",
        cvc: "737",
        holderName: "Jo Payer",
      },
      shopperInteraction: "Ecommerce",
      authenticationData: { attemptAuthentication: "never" },
      captureDelayHours: 0,
    });
  });

  test("the surcharge is in the amount and apart", async () => {
    const body = await sent({ surcharge: cents(45) });
    assert.deepEqual(body["amount"], { value: 3045, currency: "AUD" });
    assert.deepEqual(body["surcharge"], { value: 45 });
  });

  test("an authorisation without capture asks for manual capture", async () => {
    const body = await sent({ isCapturedAtOnce: false });
    assert.deepEqual(body["additionalData"], { manualCapture: "true" });
    assert.equal(body["captureDelayHours"], undefined);
  });

  const credentials: readonly (readonly [string, Partial<AuthorisationRequest>, Body])[] = [
    [
      "a payment that stores the card for a subscription",
      { storedCredential: { use: "initial", purpose: "recurring", customerId: CUSTOMER } },
      {
        shopperInteraction: "Ecommerce",
        recurringProcessingModel: "Subscription",
        shopperReference: CUSTOMER,
      },
    ],
    [
      "a payment that stores the card for later",
      { storedCredential: { use: "initial", purpose: "unscheduled", customerId: CUSTOMER } },
      {
        shopperInteraction: "Ecommerce",
        recurringProcessingModel: "UnscheduledCardOnFile",
        shopperReference: CUSTOMER,
      },
    ],
    [
      "a payer who pays again with a stored card",
      {
        storedCredential: {
          use: "subsequent",
          purpose: "unscheduled",
          customerId: CUSTOMER,
          networkTransactionId: "N1",
        },
      },
      {
        shopperInteraction: "ContAuth",
        recurringProcessingModel: "CardOnFile",
        shopperReference: CUSTOMER,
        additionalData: { networkTxReference: "N1" },
      },
    ],
    [
      "a merchant that charges a subscription",
      {
        initiator: "merchant",
        storedCredential: {
          use: "subsequent",
          purpose: "recurring",
          customerId: CUSTOMER,
          networkTransactionId: "N2",
        },
      },
      {
        shopperInteraction: "ContAuth",
        recurringProcessingModel: "Subscription",
        shopperReference: CUSTOMER,
        additionalData: { networkTxReference: "N2" },
      },
    ],
    [
      "a merchant that charges a stored card",
      {
        initiator: "merchant",
        storedCredential: { use: "subsequent", purpose: "unscheduled", customerId: CUSTOMER },
      },
      {
        shopperInteraction: "ContAuth",
        recurringProcessingModel: "UnscheduledCardOnFile",
        shopperReference: CUSTOMER,
        additionalData: undefined,
      },
    ],
    [
      "a payment by telephone",
      { origin: "telephone" },
      { shopperInteraction: "Moto", shopperReference: undefined },
    ],
    ["a payment by mail", { origin: "mail" }, { shopperInteraction: "Moto", shopperReference: undefined }],
  ];
  for (const [title, changes, expected] of credentials) {
    test(`${title} is marked as such`, async () => {
      const body = await sent(changes);
      for (const [name, value] of Object.entries(expected)) assert.deepEqual(body[name], value, name);
      assert.equal(body["authenticationData"] === undefined, body["shopperInteraction"] !== "Ecommerce");
    });
  }

  test("the outcome of 3D Secure goes to the acquirer", async () => {
    const authentication = {
      status: "Y",
      eci: "05",
      cavv: "AAABCSIIAAAAAAACcwgAEMCoNh8=",
      dsTransactionId: "c4e59ceb-a382-4d6a-bc87-385d591fa09d",
      version: "2.2.0",
    } as const;
    assert.deepEqual((await sent({ authentication }))["mpiData"], {
      authenticationResponse: "Y",
      directoryResponse: "Y",
      eci: "05",
      cavv: authentication.cavv,
      dsTransID: authentication.dsTransactionId,
      threeDSVersion: "2.2.0",
    });
    assert.deepEqual((await sent({ authentication: { status: "R" } }))["mpiData"], {
      directoryResponse: "R",
    });
    assert.equal((await sent({}))["mpiData"], undefined);
  });

  test("a wallet's token is a network token, with its cryptogram and when it is charged again without", async () => {
    const { securityCode: _none, ...card } = newRequest().card;
    const token = { ...card, isNetworkToken: true };
    const body = await sent({ card: { ...token, cryptogram: "AgAAAAAABk4DWZ4C28yUQAAAAAA=", eci: "07" } });
    assert.equal((body["paymentMethod"] as Body)["type"], "networkToken");
    assert.deepEqual(body["mpiData"], {
      authenticationResponse: "Y",
      directoryResponse: "Y",
      tokenAuthenticationVerificationValue: "AgAAAAAABk4DWZ4C28yUQAAAAAA=",
      eci: "07",
    });
    const later = await sent({ card: token, initiator: "merchant" });
    assert.equal((later["paymentMethod"] as Body)["type"], "networkToken", "a stored token stays one");
    assert.equal(later["mpiData"], undefined);
  });

  test("an address goes along whole or not at all", async () => {
    const address = {
      lines: ["12/3 Wharf Street", "Level 2"],
      city: "Sydney",
      postcode: "2000",
      country: "AU",
    };
    const body = await sent({ payer: { ip: "192.0.2.7", email: "jo@shop.example", address } });
    assert.equal(body["shopperIP"], "192.0.2.7");
    assert.equal(body["shopperEmail"], "jo@shop.example");
    assert.deepEqual(body["billingAddress"], {
      houseNumberOrName: "12/3",
      street: "Wharf Street, Level 2",
      city: "Sydney",
      postalCode: "2000",
      country: "AU",
    });
    const named = await sent({ payer: { address: { ...address, lines: ["The Old Mill"] } } });
    const { houseNumberOrName, street } = named["billingAddress"] as Body;
    assert.deepEqual([houseNumberOrName, street], ["N/A", "The Old Mill"]);
    for (const lacking of [
      { lines: [] },
      { lines: [" "] },
      { city: "" },
      { postcode: "" },
      { country: "" },
      { postcode: "12345678901" },
    ])
      assert.equal(
        (await sent({ payer: { address: { ...address, ...lacking } } }))["billingAddress"],
        undefined,
      );
  });

  test("a postcode alone goes along with Adyen's words for what the payer was not asked for", async () => {
    const body = await sent({ payer: { address: { lines: [], postcode: "2000" } } });
    assert.deepEqual(body["billingAddress"], {
      houseNumberOrName: "N/A",
      street: "N/A",
      city: "N/A",
      postalCode: "2000",
      country: "ZZ",
    });
    const full = { lines: ["1 Pitt Street"], city: "Sydney", state: "NSW", postcode: "2000", country: "AU" };
    const { stateOrProvince } = (await sent({ payer: { address: full } }))["billingAddress"] as Body;
    assert.equal(stateOrProvince, "NSW");
  });

  test("a verification has amount 0 and asks for no capture", async () => {
    const answer = await adyen.acquirer.verify(
      newRequest({ amount: cents(700), isCapturedAtOnce: false }),
      WAIT,
    );
    assert.equal(answer.kind, "approved");
    const { body } = lastCall();
    assert.deepEqual(body["amount"], { value: 0, currency: "AUD" });
    assert.equal(body["captureDelayHours"], undefined);
    assert.equal(body["additionalData"], undefined);
  });

  test("operations name the payment by Adyen's reference and carry ours", async () => {
    const payment = await approvedPayment(adyen.acquirer, { isCapturedAtOnce: false });
    const psp = payment.facts.acquirerReference;
    const { merchantAccount } = adyen.fake.settings;
    const capture = newOperation(payment, 2000);
    await adyen.acquirer.capture({ ...capture, isFinal: true }, WAIT);
    assert.equal(lastCall().path, `/payments/${psp}/captures`);
    assert.deepEqual(lastCall().body, {
      merchantAccount,
      reference: capture.reference,
      amount: { value: 2000, currency: "AUD" },
    });
    const refund = newOperation(payment, 500);
    await adyen.acquirer.refund(refund, WAIT);
    assert.equal(lastCall().path, `/payments/${psp}/refunds`);
    assert.deepEqual(lastCall().body, {
      merchantAccount,
      reference: refund.reference,
      amount: { value: 500, currency: "AUD" },
    });
    const release = newOperation(payment, 3000);
    await adyen.acquirer.void(release, WAIT);
    assert.equal(lastCall().path, `/payments/${psp}/cancels`);
    assert.deepEqual(lastCall().body, { merchantAccount, reference: release.reference });
  });

  test("a reversal cancels by our reference; a sale whose reference at Adyen is known is reversed by that", async () => {
    const request = newRequest();
    const { merchantAccount } = adyen.fake.settings;
    const { reference } = request;
    await adyen.acquirer.reverse({ reference, payment: paymentOf(request) }, WAIT);
    assert.equal(lastCall().path, "/cancels");
    assert.deepEqual(lastCall().body, { merchantAccount, reference, paymentReference: reference });
    const payment = await approvedPayment(adyen.acquirer);
    await adyen.acquirer.reverse({ reference: payment.reference, payment }, WAIT);
    assert.equal(lastCall().path, `/payments/${payment.facts.acquirerReference}/reversals`);
    assert.deepEqual(lastCall().body, { merchantAccount, reference: payment.reference });
    const hold = await approvedPayment(adyen.acquirer, { isCapturedAtOnce: false });
    await adyen.acquirer.reverse({ reference: hold.reference, payment: hold }, WAIT);
    assert.equal(lastCall().path, "/cancels");
  });

  test("a capture and a refund without an outcome are repeated for a week, before Adyen forgets the key", async () => {
    const payment = await approvedPayment(adyen.acquirer, { isCapturedAtOnce: false });
    const capture = { ...newOperation(payment, 3000), isFinal: true };
    const refund = { ...newOperation(payment, 500), reference: newId("refund", instant(Date.now())) };
    const release = newOperation(payment, 3000);
    const began = now;
    const callsAfter = async (wait: number) => {
      now = instant(began + wait);
      const before = adyen.fake.calls.length;
      const answers = [
        await adyen.acquirer.capture(capture, WAIT),
        await adyen.acquirer.refund(refund, WAIT),
        await adyen.acquirer.void(release, WAIT),
      ];
      now = began;
      return [adyen.fake.calls.length - before, answers.map(({ kind }) => kind)];
    };
    assert.deepEqual(await callsAfter(7 * DAY - MINUTE), [3, ["accepted", "accepted", "accepted"]]);
    assert.deepEqual(await callsAfter(7 * DAY + MINUTE), [1, ["unknown", "unknown", "accepted"]]);
  });

  test("a call repeated has the same Idempotency-Key, another call another; a reversal has a new one a minute later", async () => {
    const key = () => String(lastCall().headers["idempotency-key"]);
    const request = newRequest();
    await adyen.acquirer.authorise(request, WAIT);
    const first = key();
    await adyen.acquirer.authorise(request, WAIT);
    assert.equal(key(), first);
    await adyen.acquirer.verify(request, WAIT);
    assert.notEqual(key(), first);
    await adyen.acquirer.authorise(newRequest({ reference: "x".repeat(80) }), WAIT);
    assert.ok(key().length <= 64);
    const reversal = { reference: request.reference, payment: paymentOf(request) };
    await adyen.acquirer.reverse(reversal, WAIT);
    const reversed = key();
    await adyen.acquirer.reverse(reversal, WAIT);
    assert.equal(key(), reversed);
    now = instant(now + MINUTE);
    await adyen.acquirer.reverse(reversal, WAIT);
    assert.notEqual(key(), reversed);
    assert.ok(key().length <= 64);
  });

  // Last: it looks at the requests of all tests above.
  describe("every request that was sent", () => {
    test("has the shape that the connector documents, and carries an Idempotency-Key", () => {
      assert.ok(adyen.fake.calls.length > 20);
      for (const { path, headers, body } of adyen.fake.calls) {
        assert.deepEqual(shapeProblems(path, body), [], path);
        assert.match(String(headers["idempotency-key"]), /^[\w-]{8,64}$/);
      }
    });

    test("a shape that is wrong is noticed", () => {
      const { path, body } = adyen.fake.calls[0] ?? assert.fail();
      for (const wrong of [{ ...body, amout: 1 }, { ...body, amount: { value: 1.5, currency: "AUD" } }, {}])
        assert.notDeepEqual(shapeProblems(path, wrong), []);
    });

    test("is valid against Adyen's own description, and so is what the fake answers", async (t) => {
      const description = findAdyenDescription();
      if (description === undefined) return t.skip(DESCRIPTIONS_MISSING);
      for (const { path, body } of adyen.fake.calls)
        assert.deepEqual(description.requestProblems(path, body), [], path);
      for (const { path, status, body } of adyen.fake.answers)
        assert.deepEqual(description.answerProblems(path, status, body), [], path);
      const { path, body } = adyen.fake.calls[0] ?? assert.fail();
      assert.notDeepEqual(description.requestProblems(path, { ...body, amout: 1 }), []);
      assert.notDeepEqual(
        description.requestProblems("/payments/X/captures", { merchantAccount: "M", reference: "r" }),
        [],
      );
    });
  });
});
