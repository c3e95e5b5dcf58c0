import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  allowedValues,
  isSafeValue,
  isTheme,
  isThemeVariable,
  propertyOf,
  THEME_VARIABLES,
  type ThemeVariable,
} from "./theme-variables.ts";

const SAFE: readonly [ThemeVariable, ...string[]][] = [
  ["colorPrimary", "#0b5", "#0B5F7C", "#0b5f7cee", "rgb(1,2,3)", "rgba(11, 95, 124, .5)", "rebeccapurple"],
  ["colorText", "hsl(195deg 84% 26% / 90%)", "oklch(0.6 0.1 220)", "color(display-p3 1 0 0)", "transparent"],
  ["colorBorder", "color-mix(in oklab, red 20%, white)", "light-dark(#fff, #000)", "hwb(194 0% 0%)"],
  ["fontFamily", "Georgia, serif", "-apple-system, 'Segoe UI', \"Helvetica Neue\", sans-serif", "system-ui"],
  ["fontSizeBase", "12px", "1rem", "110%", "1.1em", ".9rem", "calc(1px + 1rem)"],
  ["borderRadius", "0", "2rem", ".5rem", "50%", "9999px", "min(1em, 12px)"],
  ["spacingUnit", "2px", "0.25rem", "25%"],
];

const UNSAFE: readonly [ThemeVariable, ...unknown[]][] = [
  ["colorPrimary", "", "var(--text)", "url(//elsewhere.example)", "image-set('x' 1x)", "env(x)", "attr(x)"],
  [
    "colorText",
    "red;",
    "red}",
    "red{",
    "red !important",
    "expression(alert(1))",
    "red/**/",
    "\\72 ed",
    "red\n",
  ],
  ["colorDanger", "inherit", "initial", "unset", "revert", "revert-layer", " INHERIT ", 7, null, ["red"], {}],
  ["colorBorder", "rgb(var(--x), 0, 0)", "color-mix(in srgb, url(x), red)", "--text", "<style>", "a:b", "@x"],
  ["fontFamily", "", "Georgia;", "url(x)", "a{b}", "var(--font)", "'unclosed", "Arial,,serif", "inherit"],
  ["fontFamily", "\\41", "a/*b*/", "a".repeat(201)],
  ["fontSizeBase", "1px;x", "calc(var(--x) * 1px)", "env(safe-area-inset-top)", "unset", 16],
  ["borderRadius", "url(x)", "1px/**/", "1px}", `${"0".repeat(99)}px`],
];

describe("spec 1: customisation is visual only", () => {
  test("takes every notation of colours and lengths, and system fonts", () => {
    for (const [name, ...values] of SAFE) {
      for (const value of values) assert.ok(isSafeValue(name, value), `${name}: ${value}`);
    }
  });

  test("takes no value that could load, refer to or end something", () => {
    for (const [name, ...values] of UNSAFE) {
      for (const value of values) assert.ok(!isSafeValue(name, value), `${name}: ${String(value)}`);
    }
  });

  test("takes values of up to 100 characters, font lists of up to 200", () => {
    for (const [name, limit] of [
      ["colorText", 100],
      ["spacingUnit", 100],
      ["fontFamily", 200],
    ] as const) {
      assert.ok(isSafeValue(name, "a".repeat(limit)), name);
      assert.ok(!isSafeValue(name, "a".repeat(limit + 1)), name);
    }
  });

  test("says which property takes a value, and an example of one", () => {
    for (const [name, property, example] of [
      ["colorText", "color", "teal"],
      ["spacingUnit", "padding-top", "8px"],
      ["fontFamily", "font-family", "serif"],
    ] as const) {
      assert.equal(propertyOf(name), property);
      assert.ok(allowedValues(name).includes(example));
      assert.ok(isSafeValue(name, example));
    }
  });

  test("is light or dark", () => {
    assert.deepEqual(["light", "dark", "Light", "", undefined].map(isTheme), [
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  test("knows only the listed variables", () => {
    assert.ok(THEME_VARIABLES.every(isThemeVariable));
    for (const name of ["colorprimary", "constructor", "__proto__", "content", ""]) {
      assert.ok(!isThemeVariable(name), name);
    }
  });
});
