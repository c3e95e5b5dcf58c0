import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { contrast, readableOn, readRgb, withAlpha } from "./colour.ts";

describe("theme: text on the merchant's colour is readable", () => {
  test("reads computed colours", () => {
    assert.deepEqual(readRgb("rgb(11, 95, 124)"), [11, 95, 124]);
    assert.deepEqual(readRgb("rgba(11, 95, 124, 0.5)"), [11, 95, 124]);
    assert.equal(readRgb("color(srgb 0 0 0)"), undefined);
    assert.equal(withAlpha([1, 2, 3], 0.2), "rgba(1, 2, 3, 0.2)");
  });

  test("contrast is symmetric", () => {
    assert.equal(contrast([0, 0, 0], [255, 255, 255]), 21);
    assert.equal(contrast([255, 255, 255], [0, 0, 0]), 21);
    assert.equal(contrast([9, 9, 9], [9, 9, 9]), 1);
  });

  test("black on light, white on dark, and a contrast of 4.5 on every colour", () => {
    assert.equal(readableOn([255, 255, 0]), "#000");
    assert.equal(readableOn([11, 95, 124]), "#fff");
    const channel = fc.integer({ min: 0, max: 255 });
    fc.assert(
      fc.property(channel, channel, channel, (red, green, blue) => {
        const level = readableOn([red, green, blue]) === "#000" ? 0 : 255;
        assert.ok(contrast([red, green, blue], [level, level, level]) >= 4.5);
      }),
    );
  });
});
