import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createRateLimiter } from "./rate-limit.ts";

describe("contract 2: a bucket per key", () => {
  test("in the long run, never more than the burst and so many a second", () => {
    let now = 0;
    const limiter = createRateLimiter(5, () => now);
    let taken = 0;
    for (; now < 60_000; now += 7) if (limiter.take("key").isAllowed) taken += 1;
    assert.ok(taken <= 10 + 5 * 60, String(taken));
    assert.ok(taken >= 10 + 5 * 60 - 2, String(taken));
  });

  test("a caller that waits for Retry-After is let through", () => {
    for (const perSecond of [1, 2, 3, 7, 1_000]) {
      let now = 0;
      const limiter = createRateLimiter(perSecond, () => now);
      while (limiter.take("key").isAllowed);
      for (let round = 0; round < 20; round += 1) {
        const { isAllowed, reset } = limiter.take("key");
        assert.equal(isAllowed, false);
        assert.ok(Number.isInteger(reset) && reset >= 1);
        now += reset * 1_000;
        assert.equal(limiter.take("key").isAllowed, true);
        while (limiter.take("key").isAllowed);
      }
    }
  });

  test("a night of silence saves up no more than the burst", () => {
    let now = 0;
    const limiter = createRateLimiter(2, () => now);
    limiter.take("key");
    now = 86_400_000;
    let taken = 0;
    while (limiter.take("key").isAllowed) taken += 1;
    assert.equal(taken, 4);
  });

  test("a clock that steps back neither takes nor adds allowance", () => {
    let now = 100_000;
    const limiter = createRateLimiter(1, () => now);
    while (limiter.take("key").isAllowed);
    now -= 50_000;
    assert.equal(limiter.take("key").isAllowed, false);
    now += 1_000;
    assert.equal(limiter.take("key").isAllowed, true);
    assert.equal(limiter.take("key").isAllowed, false);
  });

  test("keys have nothing to do with each other", () => {
    const limiter = createRateLimiter(1, () => 0);
    while (limiter.take("one").isAllowed);
    assert.deepEqual(limiter.take("two"), { isAllowed: true, remaining: 1, reset: 1 });
  });
});
