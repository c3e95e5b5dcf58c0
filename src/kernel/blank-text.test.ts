import assert from "node:assert/strict";
import { test } from "node:test";
import { isBlank } from "./blank-text.ts";

const UNSEEN = /[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}]/u;

test("every space, control and ignorable sign up to U+FFFF is blank", () => {
  const signs = Array.from({ length: 0x10000 }, (_, point) => String.fromCharCode(point));
  const unseen = signs.filter((sign) => UNSEEN.test(sign));
  assert.equal(unseen.length > 100, true);
  assert.deepEqual(
    unseen.filter((sign) => !isBlank(sign)),
    [],
  );
  // The blank of Braille, and the marks of interlinear notes.
  const more = signs.filter((sign) => isBlank(sign) && !UNSEEN.test(sign));
  assert.deepEqual(more, ["\u2800", "\ufff9", "\ufffa", "\ufffb"]);
});

test("one sign that shows is enough", () => {
  for (const text of ["x", " x ", "\u200bé", "漢", "🌊", "-", "\u0301"])
    assert.equal(isBlank(text), false, text);
  for (const text of ["", " ", "\u3000\u200b\t"]) assert.equal(isBlank(text), true);
});
