import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { themeProblem } from "./theme-problems.ts";

describe("a wrong theme variable is named, with what to type", () => {
  const COLOUR = "is not a colour: write # and six hex digits, such as #0b5fff, or a name such as teal.";
  const LENGTH = "is not a length: write a number and its unit, such as 8px or 1em.";

  test("colours", () => {
    for (const value of ["#12", "#12345", "#1234567", "#gg0000", "0b5fff", "12", "url(x)", "re d", "rgb("])
      assert.equal(themeProblem("colorPrimary", value), `"${value}" ${COLOUR}`);
    for (const value of [
      "#123",
      "#1234",
      "#0B5fff",
      "#0b5fff80",
      "teal",
      "rgb(11 95 124 / 90%)",
      "light-dark(red, blue)",
    ])
      assert.equal(themeProblem("colorPrimary", value), undefined, value);
  });

  test("lengths", () => {
    for (const value of ["8", "px", "8 px", "-4px", "8px;", "#12"])
      assert.equal(themeProblem("spacingUnit", value), `"${value}" ${LENGTH}`);
    for (const value of ["0", "8px", ".5rem", "1.5em", "10%", "calc(1px + 2px)"])
      assert.equal(themeProblem("borderRadius", value), undefined, value);
  });

  test("fonts, and a long text is cut off", () => {
    const words =
      "is not a list of fonts: write names of fonts with commas between them, such as Georgia, serif.";
    assert.equal(themeProblem("fontFamily", "url(a)"), `"url(a)" ${words}`);
    assert.equal(themeProblem("fontFamily", `(${"x".repeat(60)}`), `"(${"x".repeat(39)}…" ${words}`);
    assert.equal(themeProblem("fontFamily", "Georgia, serif"), undefined);
  });
});
