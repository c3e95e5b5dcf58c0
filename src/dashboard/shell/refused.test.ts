import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Refusal } from "../../kernel/refusal.ts";
import { refusedWords } from "./refused.ts";

describe("dashboard: refusals in words", () => {
  test("a throttled form says how long to wait, rounded up", () => {
    const words = (wait: number) =>
      refusedWords(new Refusal([{ code: "dashboard_sign_in_too_often", wait }])).words;
    assert.equal(words(1), "Too many attempts. Try again in 1 second.");
    assert.equal(words(30_000), "Too many attempts. Try again in 30 seconds.");
    assert.equal(words(90_000), "Too many attempts. Try again in 90 seconds.");
    assert.equal(words(90_001), "Too many attempts. Try again in 2 minutes.");
    assert.equal(words(900_000), "Too many attempts. Try again in 15 minutes.");
  });
});
