import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { type Fees, feeOf } from "./fees.ts";
import { cents, divideHalfUp, MAX_CENTS } from "./money.ts";
import { SOURCES } from "./source.ts";

describe("what a merchant pays for a payment", () => {
  const fees: Fees = { card: { percent: 1.4, fixed: 30 }, direct_debit: { percent: 0, fixed: 50 } };

  test("percent of what was captured, halves up, and the fixed cents; by source", () => {
    assert.equal(feeOf(fees, "card", cents(3000)), 72);
    assert.equal(feeOf(fees, "card", cents(35)), 30, "0.49 of a cent is none");
    assert.equal(feeOf(fees, "card", cents(36)), 31, "0.504 of a cent is one");
    assert.equal(feeOf(fees, "direct_debit", cents(99_999)), 50);
    assert.equal(feeOf(fees, "payid", cents(99_999)), 0, "a source without a rate costs nothing");
  });

  test("nothing was captured: nothing is paid, not even the fixed cents", () => {
    assert.equal(feeOf(fees, "card", cents(0)), 0);
  });

  test("exact for every amount, rate and source", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...SOURCES),
        fc.integer({ min: 1, max: MAX_CENTS }),
        fc.integer({ min: 0, max: 1_000_000 }),
        fc.integer({ min: 0, max: 1_000_000 }),
        (source, captured, parts, fixed) => {
          const exact = divideHalfUp(BigInt(captured) * BigInt(parts), 1_000_000n) + BigInt(fixed);
          assert.equal(
            BigInt(feeOf({ [source]: { percent: parts / 10_000, fixed } }, source, cents(captured))),
            exact,
          );
        },
      ),
    );
  });
});
