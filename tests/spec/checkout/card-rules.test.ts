import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { instant } from "../../../src/kernel/time.ts";
import {
  callFrame,
  type Frame,
  ok,
  openFrame,
  problemsOf,
  type Shop,
  shopOf,
} from "../../support/checkout.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";

/** A number of that length with a valid Luhn check digit. */
function luhn(start: string, length: number): string {
  const body = start.padEnd(length - 1, "0");
  const sum = Array.from(body)
    .reverse()
    .reduce((total, digit, index) => {
      const value = Number(digit) * (index % 2 === 0 ? 2 : 1);
      return total + (value > 9 ? value - 9 : value);
    }, 0);
  return body + String((10 - (sum % 10)) % 10);
}

const AMEX = "378282246310005";

type Row = readonly [what: string, card: Readonly<Record<string, unknown>>];

/** Cards with exactly one problem, and valid ones at the limit. The clock says June 2026. */
const INVALID: Readonly<Record<string, readonly Row[]>> = {
  "V10090 /card/number": [
    ["11 digits", { number: luhn("9", 11) }],
    ["20 digits", { number: luhn("9", 20) }],
    ["a wrong check digit", { number: "4111111111111112" }],
    ["two digits swapped", { number: "4111111111111511" }],
    ["spaces", { number: "4111 1111 1111 1111" }],
    ["letters", { number: "411111111111111x" }],
    ["full-width digits", { number: "４１１１１１１１１１１１１１１１" }],
    ["a number in JSON", { number: 4111111111111111 }],
    ["nothing", { number: "" }],
    ["a missing number", { number: undefined }],
  ],
  "V10087 /card/expiryMonth": [
    ["month 0", { expiryMonth: 0 }],
    ["month 13", { expiryMonth: 13 }],
    ["a month as text", { expiryMonth: "12" }],
    ["a fractional month", { expiryMonth: 1.5 }],
    ["a missing month", { expiryMonth: undefined }],
    ["a past month", { expiryMonth: 5, expiryYear: 2026 }],
  ],
  "V10088 /card/expiryYear": [
    ["last year", { expiryYear: 2025 }],
    ["a year too far ahead", { expiryYear: 2047 }],
    ["two digits", { expiryYear: 30 }],
    ["a year as text", { expiryYear: "2030" }],
    ["a missing year", { expiryYear: undefined }],
  ],
  "V10089 /card/securityCode": [
    ["2 digits", { securityCode: "12" }],
    ["4 digits on a Visa", { securityCode: "1234" }],
    ["3 digits on an American Express", { number: AMEX, securityCode: "123" }],
    ["5 digits", { number: AMEX, securityCode: "12345" }],
    ["letters", { securityCode: "12a" }],
    ["a number in JSON", { securityCode: 123 }],
    ["a missing code", { securityCode: undefined }],
  ],
  "V10086 /card/name": [
    ["101 characters", { name: "x".repeat(101) }],
    ["a control character", { name: "Ada\u0007" }],
    ["a name that is not text", { name: 7 }],
    ["a card number as the name", { name: "4111 1111 1111 1111" }],
    ["a card number after a name", { name: "Ada 4111-1111-1111-1111" }],
    ["a card number in full-width digits", { name: "４１１１１１１１１１１１１１１１" }],
    ["a card number in Arabic digits", { name: "٤١١١١١١١١١١١١١١١" }],
    ["digits alone", { name: "7 7" }],
  ],
  "V11003 /card/pin": [["an unknown field", { pin: "1234" }]],
};

const VALID: readonly Row[] = [
  ["12 digits", { number: luhn("9", 12) }],
  ["19 digits", { number: luhn("9", 19) }],
  ["a number of no scheme with a 3-digit code", { number: luhn("99", 16), securityCode: "000" }],
  ["a number of no scheme with a 4-digit code", { number: luhn("99", 16), securityCode: "0000" }],
  ["an American Express with 4 digits", { number: AMEX, securityCode: "1234" }],
  ["the current month", { expiryMonth: 6, expiryYear: 2026 }],
  ["January", { expiryMonth: 1, expiryYear: 2027 }],
  ["December", { expiryMonth: 12, expiryYear: 2026 }],
  ["20 years ahead", { expiryMonth: 12, expiryYear: 2046 }],
  ["no name", {}],
  ["an empty name", { name: "" }],
  ["a name of spaces", { name: "  " }],
  ["a name with digits in it", { name: "Ada 2nd, unit 12345678901" }],
  ["100 characters, each two units of UTF-16", { name: "😀".repeat(100) }],
];

describe("contract 9: card validation in the checkout", () => {
  let gateway: TestGateway;
  let shop: Shop;
  let frame: Frame;
  const start = Date.now();
  before(async () => {
    const june = Date.UTC(2026, 5, 15);
    gateway = await startTestGateway({ now: () => instant(june + Date.now() - start) });
    shop = shopOf(gateway);
    frame = await openFrame(shop);
  });
  after(() => gateway.stop());

  const CARD = { expiryMonth: 12, expiryYear: 2030 };

  for (const [problem, rows] of Object.entries(INVALID)) {
    for (const [what, card] of rows) {
      test(`${what} is refused as ${problem}`, async () => {
        const refused = await frame.pay({ card: { ...CARD, ...card } });
        assert.equal(refused.status, 400);
        assert.deepEqual(problemsOf(refused), [problem]);
        assert.equal(refused.body.result.status, "validation_error");
      });
    }
  }

  for (const [what, card] of VALID) {
    test(`${what} is accepted`, async () => {
      const paid = ok(await (await openFrame(shop)).pay({ card: { ...CARD, ...card } }));
      assert.equal(paid.state, "approved");
    });
  }

  test("a refusal returns every problem at once and repeats no value", async () => {
    const card = {
      number: "4111111111111112",
      expiryMonth: 13,
      expiryYear: 1999,
      securityCode: "98765",
      name: "y".repeat(101),
    };
    const refused = await frame.pay({ card });
    assert.deepEqual(problemsOf(refused), [
      "V10086 /card/name",
      "V10087 /card/expiryMonth",
      "V10088 /card/expiryYear",
      "V10089 /card/securityCode",
      "V10090 /card/number",
    ]);
    assert.doesNotMatch(JSON.stringify(refused.body), /4111|98765|yyy|1999/);
  });

  test("a body that is not a payment is refused", async () => {
    const problems = async (body: object) =>
      problemsOf(await callFrame(shop, "/checkout/pay", body, frame.session));
    assert.deepEqual(await problems({ method: "cash", total: 3000 }), ["V11614 /consent", "V11616 /method"]);
    assert.deepEqual(await problems({ method: "card", total: 3000 }), ["V10090 /card", "V11614 /consent"]);
    const answer = await callFrame(shop, "/checkout/pay", [], frame.session);
    assert.equal(answer.status, 400);
  });

  test("after all these refusals the token still pays once", async () => {
    assert.equal(ok(await frame.outcome()).state, "none");
    assert.equal(ok(await frame.pay({ card: CARD })).state, "approved");
  });
});
