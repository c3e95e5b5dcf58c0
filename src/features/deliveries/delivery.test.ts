import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { HOUR, instant, MINUTE, SECOND } from "../../kernel/time.ts";
import { type AttemptResult, nextStep, parseRetryAfter, RETRY_WAITS } from "./delivery.ts";

const failed = (more: Partial<AttemptResult & { kind: "failed" }> = {}): AttemptResult => ({
  kind: "failed",
  isBusy: false,
  retryAfter: undefined,
  ...more,
});

describe("contract 7: the schedule of retries", () => {
  test("5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h: about 76 hours, then failed", () => {
    const waits: number[] = [];
    let failures = 0;
    for (;;) {
      const step = nextStep(failures, failed(), 0.5);
      failures = step.failures;
      if (step.status === "failed") break;
      assert.equal(step.status, "pending");
      waits.push(step.wait);
    }
    const inHours = [2, 5, 10, 14, 20, 24].map((count) => count * HOUR);
    assert.deepEqual(waits, [5 * SECOND, 5 * MINUTE, 30 * MINUTE, ...inHours]);
    assert.equal(failures, 10);
    const hours = waits.reduce((sum, one) => sum + one, 0) / HOUR;
    assert.ok(hours > 75 && hours < 77, `${hours}`);
  });

  test("each wait is spread by at most 20 % either way", () => {
    for (const [failures, wait] of RETRY_WAITS.entries()) {
      assert.equal(nextStep(failures, failed(), 0).wait, Math.round(wait * 0.8));
      assert.equal(nextStep(failures, failed(), 1).wait, Math.round(wait * 1.2));
    }
  });

  test("the wait after a time-out or 429 is at least a minute", () => {
    assert.equal(nextStep(0, failed({ isBusy: true }), 1).wait, MINUTE);
    assert.equal(nextStep(0, failed(), 1).wait, 6 * SECOND);
    assert.equal(nextStep(2, failed({ isBusy: true }), 0.5).wait, 30 * MINUTE);
  });

  test("Retry-After makes the wait longer, never shorter, up to a day", () => {
    assert.equal(nextStep(0, failed({ retryAfter: 90 * SECOND }), 0.5).wait, 90 * SECOND);
    assert.equal(nextStep(1, failed({ retryAfter: 90 * SECOND }), 0.5).wait, 5 * MINUTE);
    assert.equal(nextStep(0, failed({ retryAfter: 999 * HOUR }), 0.5).wait, 24 * HOUR);
  });

  test("a request that was not sent does not count; 410 and an acknowledgement end the retries", () => {
    assert.deepEqual(nextStep(3, { kind: "not_sent" }, 0.5), {
      status: "pending",
      failures: 3,
      wait: MINUTE,
    });
    assert.equal(nextStep(9, { kind: "not_sent" }, 0.5).status, "pending");
    assert.equal(nextStep(0, { kind: "not_sent" }, 1).wait, 1.2 * MINUTE);
    assert.deepEqual(nextStep(0, { kind: "gone" }, 0.5), { status: "failed", failures: 1, wait: 0 });
    const acknowledged = { status: "delivered", failures: 9, wait: 0 };
    assert.deepEqual(nextStep(9, { kind: "acknowledged" }, 0.5), acknowledged);
    assert.deepEqual(nextStep(9, failed(), 0.5), { status: "failed", failures: 10, wait: 0 });
  });
});

describe("contract 7: Retry-After", () => {
  const now = instant(Date.UTC(2026, 0, 1, 12));
  for (const [header, expected] of [
    [undefined, undefined],
    ["120", 120_000],
    [" 7 ", 7_000],
    ["0", 0],
    ["Thu, 01 Jan 2026 12:01:00 GMT", 60_000],
    ["Thu, 01 Jan 2026 11:00:00 GMT", 0],
    ["-5", undefined],
    ["1.5", undefined],
    ["soon", undefined],
    ["2026-01-01T12:01:00Z", undefined],
    ["99999999999", 99_999_999_999_000],
  ] as const) {
    test(`${header}: ${expected}`, () => assert.equal(parseRetryAfter(header, now), expected));
  }
});
