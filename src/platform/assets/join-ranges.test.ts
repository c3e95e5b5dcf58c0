import assert from "node:assert/strict";
import { describe, test } from "node:test";
import cardTypes from "credit-card-type/dist/lib/card-types.js";
import { LIBRARY_TYPES } from "../cards/card-scheme.ts";
import { joinRanges, type Patterns } from "./join-ranges.ts";

/** Every prefix of that many digits that the patterns name. */
function prefixesOf(patterns: Patterns, digits: number): ReadonlySet<number> {
  const found = new Set<number>();
  for (const pattern of patterns) {
    const [first, last] = typeof pattern === "number" ? [pattern, pattern] : pattern;
    for (let at = first; at <= last; at += 1) if (String(at).length === digits) found.add(at);
  }
  return found;
}

describe("assets: joined ranges of card numbers", () => {
  test("joins neighbours of as many digits only", () => {
    assert.deepEqual(joinRanges([[8110, 8131], [8132, 8151], 8152]), [[8110, 8152]]);
    assert.deepEqual(
      joinRanges([
        [62184, 62187],
        [62185, 62197],
      ]),
      [[62184, 62197]],
    );
    assert.deepEqual(joinRanges([[622010, 622999], 622018]), [[622010, 622999]]);
    assert.deepEqual(joinRanges([99, 100, [644, 649], 65, 63]), [99, 100, [644, 649], 65, 63]);
  });

  for (const name of LIBRARY_TYPES) {
    test(`${name} keeps every prefix of the library, and gets no other`, () => {
      const patterns = (cardTypes[name]?.patterns ?? []) as Patterns;
      const joined = joinRanges(patterns);
      assert.ok(joined.length > 0);
      for (let digits = 1; digits <= 8; digits += 1)
        assert.deepEqual(prefixesOf(joined, digits), prefixesOf(patterns, digits));
    });
  }
});
