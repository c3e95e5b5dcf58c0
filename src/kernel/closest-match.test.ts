import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { closestMatch } from "./closest-match.ts";

const WORDS = ["merchant", "webhook", "payout", "sandbox", "key"];

describe("the word that the operator most likely meant", () => {
  for (const [typed, meant] of [
    ["merchant", "merchant"],
    ["merchnt", "merchant"],
    ["merchantt", "merchant"],
    ["marchant", "merchant"],
    ["emrchant", "merchant"],
    ["mrecahnt", "merchant"],
    ["webhok", "webhook"],
    ["wbehoko", "webhook"],
    ["sandbx", "sandbox"],
    ["kye", "key"],
    ["k", "key"],
    ["paout", "payout"],
    // As many changes as words of that length allow, and one more.
    ["xxxchant", undefined],
    ["mexxxant", undefined],
    ["merchxxxx", undefined],
    ["xxxrchant", "merchant"],
    ["kxyzw", undefined],
    ["sxxdbox", "sandbox"],
    ["sxxxbox", undefined],
    ["", undefined],
  ] as const) {
    test(`of "${typed}" is ${meant ?? "none"}`, () => assert.equal(closestMatch(typed, WORDS), meant));
  }

  test("is the closest one, whatever the order", () => {
    assert.equal(closestMatch("keys", ["kexx", "key", "ky"]), "key");
    assert.equal(closestMatch("keys", ["ky", "kexs", "key", "keysxy"]), "kexs");
    assert.equal(closestMatch("ab", ["ba", "cd"]), "ba");
    assert.equal(closestMatch("abcd", ["bacx", "badc"]), "bacx");
    assert.equal(closestMatch("ab", ["", "xyab"]), "");
    assert.equal(closestMatch("b", ["xy", "ab"]), "ab");
    assert.equal(closestMatch("abef", ["abcdef", "abxef"]), "abxef");
    assert.equal(closestMatch("any", []), undefined);
  });

  test("takes a swap of neighbours as one change, and no swap of others", () => {
    // Of both words, one change is nearer than two.
    assert.equal(closestMatch("abcdef", ["axxdef", "acbdef"]), "acbdef");
    assert.equal(closestMatch("abcdef", ["cbadef", "abxdef"]), "abxdef");
    assert.equal(closestMatch("abcdef", ["xacdef", "abxdef"]), "abxdef");
    assert.equal(closestMatch("abxxxx", ["xxxxba", "yyxxxx"]), "yyxxxx");
  });
});
