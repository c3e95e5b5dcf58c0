import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { dayText, dueText, hourText, relativeTime, shortTime, spanText } from "./times.ts";
import { countText } from "./words.ts";

const NOW = Date.parse("2026-11-15T10:00:00Z");

describe("dashboard: moments in words", () => {
  test("only the largest unit, from its first moment on", () => {
    const spans = [1_000, 59_999, 60_000, 3_599_999, 3_600_000, 47 * 3_600_000, 48 * 3_600_000];
    assert.deepEqual(spans.map(spanText), [
      "1 second",
      "59 seconds",
      "1 minute",
      "59 minutes",
      "1 hour",
      "47 hours",
      "2 days",
    ]);
  });

  test("before and after now", () => {
    assert.equal(relativeTime(NOW - 4_999, NOW), "just now");
    assert.equal(relativeTime(NOW - 5_000, NOW), "5 seconds ago");
    assert.equal(relativeTime(NOW + 120_000, NOW), "in 2 minutes");
  });

  test("due in the future, and at any moment once late", () => {
    assert.equal(dueText(NOW + 120_000, NOW), "in 2 minutes");
    assert.equal(dueText(NOW + 5_000, NOW), "in 5 seconds");
    assert.equal(dueText(NOW + 4_999, NOW), "at any moment");
    assert.equal(dueText(NOW - 60_000, NOW), "at any moment");
  });

  test("uses the given zone, and midnight begins a day", () => {
    assert.equal(hourText(Date.parse("2026-11-14T13:00:00Z"), "Australia/Sydney"), "00:00");
    assert.equal(dayText(Date.parse("2026-11-14T13:00:00Z"), "Australia/Sydney", NOW), "15 Nov");
    assert.equal(dayText(Date.parse("2026-11-14T10:59:59Z"), "Pacific/Auckland", NOW), "14 Nov");
  });

  test("names the year where it is not this one, by the given zone", () => {
    const lastMoment = Date.parse("2025-12-31T12:59:59Z");
    const firstMoment = Date.parse("2025-12-31T13:00:00Z");
    assert.equal(shortTime(lastMoment, "Australia/Sydney", NOW), "31 Dec 2025, 11:59 pm");
    assert.equal(shortTime(firstMoment, "Australia/Sydney", NOW), "1 Jan, 12:00 am");
    assert.equal(dayText(lastMoment, "Australia/Sydney", NOW), "31 Dec 2025");
    assert.equal(dayText(firstMoment, "Australia/Sydney", NOW), "1 Jan");
  });
});

describe("dashboard: counts in words", () => {
  test("one, many, and where counting stopped that or more", () => {
    const words = (count: number) => countText(count, "debit", "debits", 100);
    assert.deepEqual([0, 1, 99, 100].map(words), ["0 debits", "1 debit", "99 debits", "100 or more debits"]);
    assert.equal(countText(10_000, "debit", "debits"), "10,000 debits");
  });
});
