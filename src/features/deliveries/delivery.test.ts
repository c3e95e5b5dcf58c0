import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { HOUR, instant, MINUTE, SECOND } from "../../kernel/time.ts";
import { type Finding, judge, LADDER, retryAfterOf } from "./delivery.ts";

const refused = (more: Partial<Finding & { kind: "refused" }> = {}): Finding => ({
  kind: "refused",
  busy: false,
  retryAfter: undefined,
  ...more,
});

describe("contract 7: the ladder of retries", () => {
  test("5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h: about 76 hours, then failed", () => {
    const waits: number[] = [];
    let failures = 0;
    for (;;) {
      const verdict = judge(failures, refused(), 0.5);
      failures = verdict.failures;
      if (verdict.status === "failed") break;
      assert.equal(verdict.status, "pending");
      waits.push(verdict.wait);
    }
    assert.deepEqual(waits, LADDER);
    assert.equal(failures, 10);
    const hours = waits.reduce((sum, one) => sum + one, 0) / HOUR;
    assert.ok(hours > 75 && hours < 77, `${hours}`);
  });

  test("each wait is spread by 20 % either way, and no further", () => {
    for (const [failures, step] of LADDER.entries()) {
      assert.equal(judge(failures, refused(), 0).wait, Math.round(step * 0.8));
      assert.equal(judge(failures, refused(), 1).wait, Math.round(step * 1.2));
    }
  });

  test("after a time-out or 429 it is a minute at least", () => {
    assert.equal(judge(0, refused({ busy: true }), 1).wait, MINUTE);
    assert.equal(judge(0, refused(), 1).wait, 6 * SECOND);
    assert.equal(judge(2, refused({ busy: true }), 0.5).wait, 30 * MINUTE);
  });

  test("Retry-After makes it longer, never shorter, and a day at the most", () => {
    assert.equal(judge(0, refused({ retryAfter: 90 * SECOND }), 0.5).wait, 90 * SECOND);
    assert.equal(judge(1, refused({ retryAfter: 90 * SECOND }), 0.5).wait, 5 * MINUTE);
    assert.equal(judge(0, refused({ retryAfter: 999 * HOUR }), 0.5).wait, 24 * HOUR);
  });

  test("our own trouble is no step, 410 is the end, an acknowledgement too", () => {
    assert.deepEqual(judge(3, { kind: "ours" }, 0.5), { status: "pending", failures: 3, wait: MINUTE });
    assert.equal(judge(9, { kind: "ours" }, 0.5).status, "pending");
    assert.equal(judge(0, { kind: "gone" }, 0.5).status, "failed");
    assert.equal(judge(9, { kind: "acknowledged" }, 0.5).status, "delivered");
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
    test(`${header}: ${expected}`, () => assert.equal(retryAfterOf(header, now), expected));
  }
});
