import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ENGLISH_CHECKOUT as WORDS } from "../../src/kernel/languages/english.ts";
import { schemeOf } from "../../src/platform/cards/card-scheme.ts";
import { digitsOf, groupNumber, isAcceptable, isComplete, numberProblem } from "./card-number.ts";
import { securityCodeProblem } from "./security-code.ts";

const NUMBERS: readonly [digits: string, type: string | undefined, shown: string][] = [
  ["4111111111111111", "visa", "4111 1111 1111 1111"],
  ["5555555555554444", "mastercard", "5555 5555 5555 4444"],
  ["2223003122003222", "mastercard", "2223 0031 2200 3222"],
  ["378282246310005", "amex", "3782 822463 10005"],
  ["36227206271667", "diners", "3622 720627 1667"],
  ["6011111111111117", "discover", "6011 1111 1111 1117"],
  ["3566002020360505", "jcb", "3566 0020 2036 0505"],
  ["6205500000000000004", "unionpay", "6205 5000 0000 0000 004"],
  ["5018000000000009", undefined, "5018 0000 0000 0009"],
];

describe("contract 9: accepts any number with a valid check digit", () => {
  for (const [digits, type, shown] of NUMBERS) {
    test(`${shown} is ${type ?? "of an unknown scheme"}`, () => {
      assert.equal(schemeOf(digits)?.type, type);
      assert.equal(groupNumber(digits), shown);
      assert.equal(numberProblem(WORDS, digits), undefined);
      assert.equal(isComplete(digits), type !== undefined);
    });
  }

  test("accepts 12 to 19 digits only", () => {
    assert.ok(isAcceptable("501800000009"));
    assert.ok(isAcceptable("5018000000000000007"));
    assert.ok(!isAcceptable("50180000007"));
    assert.ok(!isAcceptable("50180000000000000009"));
  });

  test("accepts an unusual length of a known scheme, but not as complete while typing", () => {
    assert.ok(isAcceptable("4222222222222"));
    assert.ok(!isComplete("4222222222222"));
  });

  test("names the problem", () => {
    assert.match(numberProblem(WORDS, "") ?? "", /^Enter/);
    assert.match(numberProblem(WORDS, "41111111") ?? "", /too short/);
    assert.match(numberProblem(WORDS, "4111111111111112") ?? "", /not valid/);
    assert.match(numberProblem(WORDS, "378282246310006") ?? "", /not valid/);
  });

  test("finds the scheme as soon as only one is possible", () => {
    assert.equal(schemeOf("")?.type, undefined);
    assert.equal(schemeOf("4")?.type, "visa");
    assert.equal(schemeOf("3")?.type, undefined);
    assert.equal(schemeOf("37")?.type, "amex");
  });

  test("reads digits between spaces and dashes, full-width, Arabic and Persian digits", () => {
    assert.equal(digitsOf(" 4111-1111 1111\u00a01111 "), "4111111111111111");
    assert.equal(digitsOf("４１１１"), "4111");
    assert.equal(digitsOf("٠١٢٣٤ ٥٦٧٨٩"), "0123456789");
    assert.equal(digitsOf("۰۱۲۳۴ ۵۶۷۸۹"), "0123456789");
  });
});

describe("contract 9: the scheme decides the length of the security code", () => {
  test("American Express has four digits, the others three, an unknown scheme either", () => {
    const amex = schemeOf("378282246310005");
    const visa = schemeOf("4111111111111111");
    assert.equal(securityCodeProblem(WORDS, "1234", amex), undefined);
    assert.match(securityCodeProblem(WORDS, "123", amex) ?? "", /4 digits/);
    assert.equal(securityCodeProblem(WORDS, "123", visa), undefined);
    assert.match(securityCodeProblem(WORDS, "1234", visa) ?? "", /3 digits/);
    assert.equal(securityCodeProblem(WORDS, "123", undefined), undefined);
    assert.equal(securityCodeProblem(WORDS, "1234", undefined), undefined);
    assert.match(securityCodeProblem(WORDS, "12", undefined) ?? "", /3 or 4 digits/);
    assert.match(securityCodeProblem(WORDS, "", visa) ?? "", /^Enter/);
  });
});
