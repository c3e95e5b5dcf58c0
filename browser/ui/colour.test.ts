import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { blend, contrast, readableOn, readColour, withAlpha } from "./colour.ts";

describe("theme: text on the merchant's colour is readable", () => {
  test("reads computed colours", () => {
    const plain = [11, 95, 124];
    assert.deepEqual(readColour("rgb(11, 95, 124)"), { rgb: plain, alpha: 1 });
    assert.deepEqual(readColour("rgba(11, 95, 124, 0.5)"), { rgb: plain, alpha: 0.5 });
    assert.deepEqual(readColour("color(srgb 0 0.5 1)"), { rgb: [0, 128, 255], alpha: 1 });
    assert.deepEqual(readColour("color(srgb -0.1 none 1.2 / 0.25)"), { rgb: [0, 0, 255], alpha: 0.25 });
    assert.equal(readColour("oklch(0.6 0.1 220)"), undefined);
    assert.equal(withAlpha([1, 2, 3], 0.2), "rgba(1, 2, 3, 0.2)");
  });

  test("a translucent colour is seen on what lies behind it", () => {
    assert.deepEqual(blend({ rgb: [0, 0, 0], alpha: 1 }, [255, 255, 255]), [0, 0, 0]);
    assert.deepEqual(blend({ rgb: [0, 0, 0], alpha: 0 }, [255, 255, 255]), [255, 255, 255]);
    assert.deepEqual(blend({ rgb: [0, 100, 200], alpha: 0.5 }, [100, 100, 100]), [50, 100, 150]);
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
