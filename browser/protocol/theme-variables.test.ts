import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { allowsValue, isThemeVariable, THEME_VARIABLES, type ThemeVariable } from "./theme-variables.ts";

const ALLOWED: readonly [ThemeVariable, ...string[]][] = [
  [
    "colorPrimary",
    "#0b5",
    "#0B5F7C",
    "rgb(11, 95, 124)",
    "rgb(1,2,3)",
    "hsl(195, 84%, 26%)",
    "rebeccapurple",
  ],
  ["fontFamily", "Georgia, serif", "-apple-system, 'Segoe UI', \"Helvetica Neue\", sans-serif", "system-ui"],
  ["fontSizeBase", "12px", "1rem", "1.5rem", "24px"],
  ["borderRadius", "0", "0px", "32px", "2rem", "0.5rem"],
  ["spacingUnit", "2px", "0.25rem", "12px"],
];

const REFUSED: readonly [ThemeVariable, ...unknown[]][] = [
  ["colorPrimary", "", "#12", "#12345678", "rgb(1,2)", "rgba(0,0,0,0)", "var(--text)", "url(//evil.example)"],
  [
    "colorText",
    "transparent",
    "inherit",
    "currentColor",
    "red;",
    "red}",
    "red !important",
    "expression(alert(1))",
    7,
    null,
  ],
  [
    "fontFamily",
    "",
    "Georgia;",
    "url(x)",
    "a{b}",
    "var(--font)",
    "'unclosed",
    "Arial,,serif",
    "\\41",
    "a/*b*/",
  ],
  ["fontSizeBase", "0", "11px", "25px", "1.6rem", "100%", "2em", "calc(1px + 1rem)", "-1px"],
  ["borderRadius", "33px", "2.1rem", "1", "px", "1e1px"],
  ["spacingUnit", "0", "13px"],
];

describe("spec 1: customisation is visual only", () => {
  test("accepts colours, lengths and system fonts", () => {
    for (const [name, ...values] of ALLOWED) {
      for (const value of values) assert.ok(allowsValue(name, value), `${name}: ${value}`);
    }
  });

  test("refuses a value that is more than a plain colour, length or font list", () => {
    for (const [name, ...values] of REFUSED) {
      for (const value of values) assert.ok(!allowsValue(name, value), `${name}: ${String(value)}`);
    }
  });

  test("knows only the listed variables", () => {
    assert.ok(THEME_VARIABLES.every(isThemeVariable));
    for (const name of ["colorprimary", "constructor", "__proto__", "content", ""]) {
      assert.ok(!isThemeVariable(name), name);
    }
  });
});
