import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import {
  cents,
  divideHalfUp,
  lineTotal,
  MAX_CENTS,
  quantityToThousandths,
  readCents,
  sum,
  thousandthsToQuantity,
} from "./money.ts";

describe("contract 2: money is whole cents", () => {
  for (const value of [0, 1, -1, MAX_CENTS, -MAX_CENTS, Number.MAX_SAFE_INTEGER]) {
    test(`${value} is an amount`, () => assert.equal(cents(value), value));
  }

  for (const value of [1.5, 0.1, Number.NaN, Number.POSITIVE_INFINITY, Number.MAX_SAFE_INTEGER + 1]) {
    test(`${value} is none`, () => assert.throws(() => cents(value), RangeError));
  }
});

test("a sum is whole cents, and 0 without amounts", () => {
  assert.equal(sum([]), 0);
  assert.equal(sum([cents(200), cents(-50), cents(1)]), 151);
});

describe("contract 3: a quantity is rounded half up to 3 decimals", () => {
  const cases: readonly (readonly [quantity: number, thousandths: bigint])[] = [
    [1, 1000n],
    [1.5, 1500n],
    [0.001, 1n],
    [0.0005, 1n],
    [0.0004, 0n],
    [0.00049999999, 0n],
    [0, 0n],
    [1.0004, 1000n],
    // Its nearest double lies below 1.0005; the person who wrote it meant a half.
    [1.0005, 1001n],
    [1.0015, 1002n],
    [2.0025, 2003n],
    [8.3335, 8334n],
    [0.9995, 1000n],
    [1e-7, 0n],
    [5e-324, 0n],
    [1e21, 10n ** 24n],
    [1.5e22, 15n * 10n ** 24n],
    [99_999_999_999.9995, 100_000_000_000_000n],
    [MAX_CENTS, 99_999_999_999_000n],
  ];
  for (const [quantity, thousandths] of cases) {
    test(`${quantity} is ${thousandths} thousandths`, () =>
      assert.equal(quantityToThousandths(quantity), thousandths));
  }

  for (const quantity of [-1, -0.0001, Number.NaN, Number.POSITIVE_INFINITY]) {
    test(`${quantity} is no quantity`, () =>
      assert.throws(() => quantityToThousandths(quantity), RangeError));
  }

  test("what has three decimals at the most is not changed, there and back", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10 ** 14 }), (thousandths) => {
        assert.equal(quantityToThousandths(thousandths / 1000), BigInt(thousandths));
        assert.equal(thousandthsToQuantity(quantityToThousandths(thousandths / 1000)), thousandths / 1000);
      }),
    );
  });

  test("any decimals are rounded as on paper", () => {
    const written = fc.record({
      whole: fc.integer({ min: 0, max: 99_999 }),
      decimals: fc.stringMatching(/^[0-9]{4,9}$/),
    });
    fc.assert(
      fc.property(written, ({ whole, decimals }) => {
        const up = Number(decimals.charAt(3)) >= 5 ? 1n : 0n;
        const onPaper = BigInt(whole) * 1000n + BigInt(decimals.slice(0, 3)) + up;
        assert.equal(quantityToThousandths(Number(`${whole}.${decimals}`)), onPaper);
      }),
    );
  });
});

describe("contract 3: amount x quantity is exact, rounded half up per line to a cent", () => {
  const cases: readonly (readonly [amount: number, quantity: number, total: bigint])[] = [
    [100, 1, 100n],
    [0, 5, 0n],
    [1, 0.5, 1n],
    [1, 0.499, 0n],
    [1, 0.001, 0n],
    [333, 1.5, 500n],
    [999, 0.333, 333n],
    [29, 1.015, 29n],
    [1000, 1.0005, 1001n],
    [MAX_CENTS, MAX_CENTS, 9_999_999_999_800_000_000_001n],
  ];
  for (const [amount, quantity, total] of cases) {
    test(`${amount} x ${quantity} is ${total}`, () =>
      assert.equal(lineTotal(cents(amount), quantityToThousandths(quantity)), total));
  }
});

describe("the one rounding rule", () => {
  test("a half goes up, less than a half goes down", () => {
    assert.deepEqual(
      [0n, 4n, 5n, 14n, 15n, 16n].map((dividend) => divideHalfUp(dividend, 10n)),
      [0n, 0n, 1n, 1n, 2n, 2n],
    );
  });

  test("it is never further away than a half", () => {
    const dividends = fc.bigInt({ min: 0n, max: 10n ** 30n });
    const divisors = fc.bigInt({ min: 1n, max: 10n ** 9n });
    fc.assert(
      fc.property(dividends, divisors, (dividend, divisor) => {
        const twiceTooMuch = 2n * (divideHalfUp(dividend, divisor) * divisor - dividend);
        assert.ok(twiceTooMuch > -divisor && twiceTooMuch <= divisor);
      }),
    );
  });

  test("it is not defined for what is negative, nor for a divisor of 0", () => {
    assert.throws(() => divideHalfUp(-1n, 10n), /rounding is defined/);
    assert.throws(() => divideHalfUp(1n, 0n), /rounding is defined/);
  });
});

describe("dollars as people type them", () => {
  for (const [text, amount] of [
    ["30", 3_000],
    ["30.5", 3_050],
    ["30.05", 3_005],
    ["$1,234.50", 123_450],
    ["1234.50", 123_450],
    ["0.01", 1],
    ["999,999,999.99", MAX_CENTS],
    ["1,000,000,000", undefined],
    ["0.00", undefined],
    ["-1", undefined],
    ["1,23", undefined],
    ["30.", undefined],
    ["30.555", undefined],
    ["thirty", undefined],
    ["", undefined],
  ] as const)
    test(`"${text}" is ${amount === undefined ? "no amount" : `${amount} cents`}`, () =>
      assert.equal(readCents(text), amount));
});
