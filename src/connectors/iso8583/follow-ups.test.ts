import assert from "node:assert/strict";
import { test } from "node:test";
import { pauseBeforeRepeat } from "./follow-ups.ts";

test("contract 12: repeats of a reversal are at most 25 seconds apart, however long the host has for an answer", () => {
  for (let responseSeconds = 1; responseSeconds <= 120; responseSeconds += 1) {
    const pause = pauseBeforeRepeat(responseSeconds);
    assert.ok(pause >= 1_000, `${responseSeconds} s: a host that does not answer gets time`);
    // A repeat waits for its answer, then the job for its time and for a worker.
    const apart = Math.min(responseSeconds, 20) * 1_000 + pause;
    assert.ok(apart <= 24_000, `${responseSeconds} s: ${apart} ms apart`);
  }
});
