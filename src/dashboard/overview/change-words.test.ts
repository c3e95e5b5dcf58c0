import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { changeText, pointsText } from "./change-words.ts";

describe("a period compared with the one before", () => {
  test("says by how much, and from what", () => {
    assert.equal(changeText(112, 100, String), "+12.0% from 100");
    assert.equal(changeText(5_000, 100, String), "+4,900.0% from 100");
    assert.equal(changeText(50, 100, String), "−50.0% from 100");
    assert.equal(changeText(100, 100, String), "0.0% from 100");
    assert.equal(changeText(99_999, 100_000, String), "0.0% from 100000");
  });

  test("nothing, or less than nothing, has no percentage", () => {
    assert.equal(changeText(5, 0, String), "from 0");
    assert.equal(changeText(0, 0, String), "as before");
    assert.equal(changeText(5, -5, String), "from -5");
  });

  test("rates differ by points", () => {
    assert.equal(pointsText(0.95, 0.962), "−1.2 points from 96.2%");
    assert.equal(pointsText(1, 0.5), "+50.0 points from 50.0%");
    assert.equal(pointsText(undefined, 0.5), "from 50.0%");
    assert.equal(pointsText(0.5, undefined), "no payment before");
  });
});
