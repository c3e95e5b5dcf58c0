import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { inspect } from "node:util";
import { createAdyenConnector } from "../../../src/connectors/adyen/adyen.ts";
import { newId } from "../../../src/kernel/ids.ts";
import { cents } from "../../../src/kernel/money.ts";
import { instant } from "../../../src/kernel/time.ts";
import { formsOf } from "../../support/canary.ts";
import type { Fault } from "../../support/fake-adyen.ts";
import { FAKE_AMOUNTS } from "../../support/fake-adyen-answers.ts";
import { newOperation, newRequest, openAdyen, paymentOf, WAIT } from "./open-adyen.ts";

const CARD = {
  number: "5555341244441115",
  expiryMonth: 3,
  expiryYear: 2030,
  securityCode: "8092",
  name: "Jo Payer",
};
const CRYPTOGRAM = "AgAAAAAABk4DWZ4C28yUQAAAAAA=";

/** A host that quotes everything it was sent, as Adyen does not. */
const QUOTING = `card ${CARD.number} (${CARD.number.replace(/(.{4})/g, "$1 ")}) cvc ${CARD.securityCode}`;

/** The security code as a number of its own: random ids and ports may have the same digits inside. */
const ALONE = new RegExp(`(?<![0-9a-z])${CARD.securityCode}(?![0-9a-z])`, "i");

describe("Adyen: what survives of a call", () => {
  test("no card number, security code, cryptogram, API key or HMAC key is in logs, answers, errors or details", async (t) => {
    const adyen = await openAdyen({ answersWithinMs: 500 });
    t.after(adyen.close);
    const { fake, acquirer } = adyen;
    const { apiKey, webhookHmacKey } = fake.settings;
    const said: unknown[] = [];
    const faultsQuoting = (quoted: string): readonly Fault[] => [
      { does: "drop", after: true },
      { does: "hang", after: false },
      { does: "say", text: QUOTING },
      { does: "say", text: QUOTING, status: 500 },
      ...[400, 401, 403, 422, 500].map(
        (status): Fault => ({
          does: "answer",
          status,
          body: { errorCode: CARD.number, message: `${QUOTING} ${apiKey} ${quoted}` },
        }),
      ),
    ];
    const card = { ...CARD, cryptogram: CRYPTOGRAM };
    said.push(await acquirer.authorise(newRequest({ card }), WAIT));
    for (const fault of faultsQuoting(CRYPTOGRAM)) {
      fake.fault("/payments", fault);
      said.push(await acquirer.authorise(newRequest({ card }), WAIT));
    }
    const { reference, amount, surcharge, currency } = newRequest();
    const { securityCode: _, ...shown } = CARD;
    const browser = { acceptHeader: "*/*", userAgent: "x", language: "en", ipAddress: "192.0.2.1" };
    for (const [index, fault] of faultsQuoting("").entries()) {
      fake.fault("/payments", fault);
      const begun = {
        ...{ reference: `${reference}${index}`, amount, surcharge, currency, card: shown },
        browser: { ...browser, javaScriptEnabled: true },
        challengeNotificationUrl: "https://pay.example/",
        challengeIn: "frame",
      } as const;
      said.push(await acquirer.threeDSecure?.begin(begun, WAIT));
    }
    const wrong = { ...CARD, number: "5555341244441116" };
    said.push(await acquirer.authorise(newRequest({ card: wrong }), WAIT));
    for (const amount of [FAKE_AMOUNTS.insufficientFunds, FAKE_AMOUNTS.error])
      said.push(await acquirer.authorise(newRequest({ card, amount: cents(amount) }), WAIT));
    said.push(await acquirer.verify(newRequest({ card }), WAIT));
    for (const fault of faultsQuoting("")) {
      fake.fault("/refunds", fault);
      const payment = paymentOf(newRequest({ card }), { acquirerReference: "X" });
      said.push(await acquirer.refund(newOperation(payment, 1), WAIT));
      fake.fault("/paymentMethods", fault);
      said.push(await acquirer.test(WAIT));
    }
    said.push(await acquirer.notification?.({}, QUOTING), adyen.logged, acquirer);
    const text = inspect(said, { depth: 10, maxStringLength: null, maxArrayLength: null });
    assert.ok(adyen.logged.length >= faultsQuoting("").length);
    for (const secret of [CRYPTOGRAM, apiKey, webhookHmacKey]) assert.ok(!text.includes(secret), secret);
    assert.doesNotMatch(text, ALONE);
    const bytes = Buffer.from(text);
    for (const number of [CARD.number, wrong.number])
      for (const form of formsOf(number)) assert.ok(!bytes.includes(form.bytes), form.name);
  });

  test("the search finds what is there", () => {
    const bytes = Buffer.from(inspect([{ note: QUOTING }], { maxStringLength: null }));
    assert.ok(formsOf(CARD.number).some((form) => bytes.includes(form.bytes)));
    assert.match(bytes.toString(), ALONE);
  });

  test("settings that are wrong are reported without their secrets", async () => {
    const write = () => assert.fail("a line was logged");
    const connector = createAdyenConnector({
      log: { debug: write, info: write, warn: write, error: write },
      now: () => instant(Date.now()),
      baseUrl: "http://localhost:3000",
    });
    const settings = {
      apiKey: "SECRET KEY WITH SPACES",
      merchantAccount: "",
      endpoint: "https://user:SECRET@checkout.example",
      webhookHmacKey: "SECRET, not hexadecimal",
      SECRETS: "SECRET",
    };
    const problems = await connector.checkSettings(settings);
    assert.equal(problems.length, 5);
    for (const problem of problems) assert.doesNotMatch(problem.replace('"SECRETS"', ""), /SECRET/);
    const account = {
      id: newId("acquirerAccount", instant(0)),
      merchantId: newId("merchant", instant(0)),
      zone: async () => "Australia/Sydney" as const,
      settings,
    } as const;
    assert.throws(
      () => connector.open(account),
      (error: Error) => !/SECRET/.test(`${error.message} ${error.stack}`),
    );
  });
});
