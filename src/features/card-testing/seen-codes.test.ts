import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { instant, later, MINUTE } from "../../kernel/time.ts";
import { createSeenCodes } from "./seen-codes.ts";

const NOW = instant(Date.UTC(2026, 10, 16));

describe("card testing: which security codes a bank has judged", () => {
  test("a code is new for each card, until a bank has judged it", () => {
    const codes = createSeenCodes();
    assert.equal(codes.isNew("card", "123", NOW), true);
    codes.remember("card", "123", NOW);
    assert.equal(codes.isNew("card", "123", NOW), false);
    assert.equal(codes.isNew("card", "124", NOW), true);
    assert.equal(codes.isNew("other", "123", NOW), true);
  });

  test("it is new again once a counter has had its ten minutes to fade, and others stay known", () => {
    const codes = createSeenCodes();
    codes.remember("card", "123", NOW);
    codes.remember("card", "456", later(NOW, MINUTE));
    assert.equal(codes.isNew("card", "123", later(NOW, 10 * MINUTE - 1)), false);
    assert.equal(codes.isNew("card", "123", later(NOW, 10 * MINUTE)), true);
    codes.remember("card", "789", later(NOW, 10 * MINUTE));
    assert.equal(codes.isNew("card", "456", later(NOW, 10 * MINUTE)), false);
  });

  test("at most 50,000 are kept: the oldest leave first", () => {
    const codes = createSeenCodes();
    for (let n = 0; n < 50_000; n += 1) codes.remember("card", `${n}`, NOW);
    assert.equal(codes.isNew("card", "0", NOW), false);
    codes.remember("card", "new", NOW);
    assert.equal(codes.isNew("card", "0", NOW), true);
    assert.equal(codes.isNew("card", "1", NOW), false);
    assert.equal(codes.isNew("card", "new", NOW), false);
  });
});
