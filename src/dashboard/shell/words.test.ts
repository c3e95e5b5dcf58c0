import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { messagePhrase, messageWords, outcomeWords } from "./words.ts";

describe("dashboard: the message of a code in words", () => {
  for (const [message, words, phrase] of [
    ["insufficient_funds", "Insufficient funds", "insufficient funds"],
    ["3d_secure_error", "3D Secure error", "3D Secure error"],
    ["approved_vip", "Approved VIP", "approved VIP"],
    ["needs_response", "Needs response", "needs response"],
  ] as const)
    test(`${message} is ${words}, within a sentence ${phrase}`, () => {
      assert.deepEqual([messageWords(message), messagePhrase(message)], [words, phrase]);
    });

  test("an unknown code is shown as it is, and none as nothing", () => {
    assert.equal(outcomeWords("D04417"), "3D Secure error");
    assert.equal(outcomeWords("D99999"), "D99999");
    assert.equal(outcomeWords(null), "");
  });
});
