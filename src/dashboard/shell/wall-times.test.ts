import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { momentOf, wallTime } from "./wall-times.ts";

const SYDNEY = "Australia/Sydney";

describe("dashboard: times that people type", () => {
  test("are the merchant's, in summer and in winter", () => {
    assert.equal(momentOf("2026-11-15 20:00", SYDNEY), Date.parse("2026-11-15T09:00:00Z"));
    assert.equal(momentOf("2026-07-15 20:00:30", SYDNEY), Date.parse("2026-07-15T10:00:30Z"));
    assert.equal(momentOf("2026-11-15T22:00", "Pacific/Auckland"), Date.parse("2026-11-15T09:00:00Z"));
  });

  test("hold on the days when the clocks change", () => {
    for (const iso of [
      "2026-10-03T15:59:00Z",
      "2026-10-03T16:00:00Z",
      "2026-04-04T17:00:00Z",
      "2026-04-04T12:30:00Z",
    ])
      assert.equal(momentOf(wallTime(Date.parse(iso), SYDNEY), SYDNEY), Date.parse(iso), iso);
  });

  test("with their own zone are that moment, and no time is none", () => {
    assert.equal(momentOf("2026-11-15T09:00:00.000Z", SYDNEY), Date.parse("2026-11-15T09:00:00Z"));
    for (const typed of ["", "yesterday", "2026-02-30 09:00", "2026-11-15 24:00", "0001-01-01 00:00"])
      assert.equal(momentOf(typed, SYDNEY), undefined, typed);
  });
});
