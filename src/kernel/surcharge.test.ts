import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { cents, divideHalfUp, MAX_CENTS } from "./money.ts";
import { surchargeOf } from "./surcharge.ts";

describe("contract 8: surcharge by card type", () => {
  const rates = { visa: { percent: 1.2, fixed: 0 }, amex: { percent: 1.75, fixed: 30 } };

  test("percent of the amount and fixed cents, by the type of the card", () => {
    assert.equal(surchargeOf(cents(3000), rates, "visa"), 36);
    assert.equal(surchargeOf(cents(3000), rates, "amex"), 83);
  });

  test("a type without a rate and a card of unknown type have no surcharge", () => {
    assert.equal(surchargeOf(cents(3000), rates, "jcb"), 0);
    assert.equal(surchargeOf(cents(3000), rates, undefined), 0);
  });

  test("halves go up, less than a half goes down", () => {
    assert.equal(surchargeOf(cents(50), { visa: { percent: 1, fixed: 0 } }, "visa"), 1);
    assert.equal(surchargeOf(cents(49), { visa: { percent: 1, fixed: 0 } }, "visa"), 0);
    assert.equal(surchargeOf(cents(1250), { visa: { percent: 0.04, fixed: 0 } }, "visa"), 1);
  });

  test("a rate is up to the whole amount, or the fixed cents alone", () => {
    assert.equal(surchargeOf(cents(1250), { visa: { percent: 100, fixed: 0 } }, "visa"), 1250);
    assert.equal(surchargeOf(cents(1250), { visa: { percent: 0, fixed: 30 } }, "visa"), 30);
  });

  test("it is exact for every amount and every percentage", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: MAX_CENTS }),
        fc.integer({ min: 0, max: 1_000_000 }),
        fc.integer({ min: 0, max: 1_000_000 }),
        (amount, parts, fixed) => {
          const exact = divideHalfUp(BigInt(amount) * BigInt(parts), 1_000_000n) + BigInt(fixed);
          const rate = { percent: parts / 10_000, fixed };
          assert.equal(BigInt(surchargeOf(cents(amount), { visa: rate }, "visa")), exact);
        },
      ),
    );
  });

  test("a percentage with five decimals or above a hundred is a bug, not a price", () => {
    for (const percent of [1.00005, 100.5, -1, Number.NaN]) {
      assert.throws(() => surchargeOf(cents(3000), { visa: { percent, fixed: 0 } }, "visa"), RangeError);
    }
  });
});
