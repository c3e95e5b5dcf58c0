import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { FONT_NAMES, THEME_FONTS } from "./theme-fonts.ts";
import { isSafeValue } from "./theme-variables.ts";

describe("theme: fonts by name", () => {
  for (const name of FONT_NAMES) {
    test(`${name}: is a safe value of fontFamily and ends in a font that every system has`, () => {
      assert.ok(isSafeValue("fontFamily", THEME_FONTS[name]), THEME_FONTS[name]);
      assert.match(THEME_FONTS[name], /, (?:sans-serif|serif|monospace)$/);
    });
  }
});
