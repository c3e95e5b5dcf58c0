import assert from "node:assert/strict";
import { describe, test } from "node:test";
import creditCardType from "credit-card-type";
import { hasSchemePrefix, LIBRARY_TYPES, schemeOf } from "./card-scheme.ts";

describe("cards: schemes are found as the library finds them", () => {
  const OURS: Readonly<Record<string, string>> = { "american-express": "amex", "diners-club": "diners" };
  for (const name of Object.values(creditCardType.types)) {
    if (!LIBRARY_TYPES.includes(name)) creditCardType.removeCard(name);
  }

  test("every prefix of up to four digits, and of six in the longest ranges, has the library's scheme", () => {
    let known = 0;
    for (const digits of prefixes()) {
      const [found, another] = creditCardType(digits);
      const expected =
        another === undefined && found !== undefined ? (OURS[found.type] ?? found.type) : undefined;
      assert.equal(schemeOf(digits)?.type, expected, digits);
      assert.equal(hasSchemePrefix(digits), found !== undefined, digits);
      if (expected !== undefined) known += 1;
    }
    assert.ok(known > 1000, `${known} prefixes have a scheme`);
  });

  function* prefixes(): Generator<string> {
    for (let length = 1; length <= 4; length += 1) {
      for (let prefix = 0; prefix < 10 ** length; prefix += 1) yield String(prefix).padStart(length, "0");
    }
    // Only ranges that begin with 62 have more than four digits.
    for (let prefix = 0; prefix < 10_000; prefix += 1) yield `62${String(prefix).padStart(4, "0")}`;
    for (const digits of ["4111111111111111", "6212345678901232", "9792000000000001", "6500520000000000"])
      yield digits;
  }
});
