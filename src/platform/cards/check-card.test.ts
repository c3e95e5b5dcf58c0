import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { cardProblems, cardTypeOf, expiryProblems } from "./check-card.ts";

const NOW = { year: 2026, month: 6 };
const CARD = { number: "4111111111111111", expiryMonth: 6, expiryYear: 2026, securityCode: "123" };

describe("CONTRACT 9: card numbers do not matter as long as they pass the Luhn check", () => {
  for (const [number, cardType, securityCode] of [
    ["4111111111111111", "visa", "123"],
    ["5555555555554444", "mastercard", "123"],
    ["2223000048400011", "mastercard", "123"],
    ["378282246310005", "amex", "1234"],
    ["36700102000000", "diners", "123"],
    ["6011111111111117", "discover", "123"],
    ["3530111333300000", "jcb", "123"],
    ["6200000000000005", "unionpay", "123"],
    ["9999999999999995", "unknown", "123"],
    ["9999999999999995", "unknown", "1234"],
    ["000000000000", "unknown", "999"],
  ] as const) {
    test(`${number} with ${securityCode} is a card of type ${cardType}`, () => {
      assert.equal(cardTypeOf(number), cardType);
      assert.deepEqual(cardProblems({ ...CARD, number, securityCode }), []);
    });
  }

  test("a number with any one digit wrong is refused", () => {
    const number = "4539578763621486";
    assert.deepEqual(cardProblems({ ...CARD, number }), []);
    for (let place = 0; place < number.length; place += 1) {
      for (let digit = 0; digit < 10; digit += 1) {
        const changed = number.slice(0, place) + digit + number.slice(place + 1);
        const codes = cardProblems({ ...CARD, number: changed }).map(({ code }) => code);
        assert.deepEqual(codes, changed === number ? [] : ["card_number_invalid"]);
      }
    }
  });

  test("a card is good until the end of its month", () => {
    const codes = (expiryMonth: number, expiryYear: number) =>
      expiryProblems({ expiryMonth, expiryYear }, NOW).map(({ code }) => code);
    assert.deepEqual(codes(6, 2026), []);
    assert.deepEqual(codes(5, 2026), ["card_expiry_month_invalid"]);
    assert.deepEqual(codes(12, 2025), ["card_expiry_year_invalid"]);
    assert.deepEqual(codes(1, 2046), []);
    assert.deepEqual(codes(12, 2046), []);
    assert.deepEqual(codes(1, 2047), ["card_expiry_year_invalid"]);
    assert.deepEqual(codes(0, 2047), ["card_expiry_month_invalid", "card_expiry_year_invalid"]);
  });

  test("every problem has its own field", () => {
    const wrong = { number: "1", expiryMonth: 0, expiryYear: 1, securityCode: "x" };
    assert.deepEqual(
      [...cardProblems(wrong), ...expiryProblems(wrong, NOW)],
      [
        { code: "card_number_invalid", field: "/card/number" },
        { code: "card_security_code_invalid", field: "/card/securityCode" },
        { code: "card_expiry_month_invalid", field: "/card/expiryMonth" },
        { code: "card_expiry_year_invalid", field: "/card/expiryYear" },
      ],
    );
  });
});
