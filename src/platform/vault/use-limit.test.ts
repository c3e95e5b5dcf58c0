import assert from "node:assert/strict";
import { describe, mock, test } from "node:test";
import { type Instant, instant, MINUTE } from "../../kernel/time.ts";
import { createUseLimit } from "./use-limit.ts";

describe("a limit on uses of stored numbers", () => {
  let time = 10 * MINUTE + 20_000;
  const reached: string[] = [];
  const open = (perMinute: number, now: () => Instant = () => instant(time)) => {
    reached.length = 0;
    time = 10 * MINUTE + 20_000;
    return createUseLimit({
      perMinute,
      now,
      onReached: (merchantId, answer, isFirst) =>
        void reached.push(`${merchantId} ${answer}${isFirst ? " first" : ""}`),
    });
  };

  test("admits as many as it says within a minute, refuses one more, and begins anew with the next minute", () => {
    const limit = open(2);
    assert.deepEqual(
      [1, 2, 3, 4].map(() => limit.admit("a")),
      [0, 0, 40_000, 40_000],
    );
    assert.deepEqual(reached, ["a refused first", "a refused"]);
    time += 39_999;
    assert.equal(limit.admit("a"), 1);
    time += 1;
    assert.deepEqual(
      [1, 2, 3].map(() => limit.admit("a")),
      [0, 0, 60_000],
    );
    assert.equal(reached.at(-1), "a refused first");
  });

  test("counts each merchant, and the gateway's own work, apart", async () => {
    const limit = open(1);
    assert.equal(limit.admit("a"), 0);
    assert.equal(limit.admit("b"), 0);
    await limit.pace("a");
    assert.ok(limit.admit("a") > 0);
  });

  test("work of the gateway waits for the next minute and is not lost", async () => {
    mock.timers.enable({ apis: ["setTimeout", "Date"], now: time });
    try {
      const limit = open(1, () => instant(Date.now()));
      await limit.pace("a");
      let isDone = false;
      const second = limit.pace("a").then(() => {
        isDone = true;
      });
      mock.timers.tick(39_999);
      await Promise.resolve();
      assert.equal(isDone, false);
      mock.timers.tick(1);
      await second;
      assert.deepEqual(reached, ["a delayed first"]);
    } finally {
      mock.timers.reset();
    }
  });

  test("a use at the turn of a minute waits or is counted, however late the clock is read", () => {
    let ticks = 0;
    const limit = open(1, () => instant(time + (ticks++ % 2)));
    time = 11 * MINUTE - 1;
    assert.equal(limit.admit("a"), 0);
    ticks = 0;
    assert.equal(limit.admit("a"), 1);
  });

  test("0 is no limit", async () => {
    const limit = open(0);
    for (let use = 0; use < 1_000; use += 1) assert.equal(limit.admit("a"), 0);
    await limit.pace("a");
    assert.deepEqual(reached, []);
  });
});
