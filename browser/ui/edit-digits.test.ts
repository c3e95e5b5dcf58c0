import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { groupNumber } from "./card-number.ts";
import { type Edit, editDigits } from "./edit-digits.ts";

/** The bar is the caret: "41|11". */
function edited(before: string, after: string, deleted?: Edit["deleted"]): string {
  const caret = after.indexOf("|");
  const edit = { before, after: after.replace("|", ""), caret, deleted };
  const { value, caret: moved } = editDigits(edit, groupNumber);
  return `${value.slice(0, moved)}|${value.slice(moved)}`;
}

describe("card number: grouping keeps the caret at its digit", () => {
  test("typing at the end continues after the gap", () => {
    assert.equal(edited("411", "4111|"), "4111|");
    assert.equal(edited("4111", "41112|"), "4111 2|");
  });

  test("typing in the middle stays in the middle", () => {
    assert.equal(edited("4111 1111", "41911| 1111".replace("911|", "9|11")), "419|1 1111 1");
    assert.equal(edited("4111 2222", "4119|1 2222"), "4119 |1222 2");
  });

  test("deleting a gap deletes the digit beyond it", () => {
    assert.equal(edited("4111 2222", "4111|2222", "backward"), "411|2 222");
    assert.equal(edited("4111 2222", "4111|2222", "forward"), "4111| 222");
  });

  test("deleting a digit leaves the caret before the gap that comes next", () => {
    assert.equal(edited("4111 2", "4111 |", "backward"), "4111|");
    assert.equal(edited("4111 2222", "411| 2222", "backward"), "411|2 222");
  });

  test("deleting at the beginning changes nothing", () => {
    assert.equal(edited("4111", "|4111", "backward"), "|4111");
  });

  test("groups a pasted number with any separators", () => {
    assert.equal(edited("", "4111-1111-1111-1111|"), "4111 1111 1111 1111|");
    assert.equal(edited("", "3782 8224 6310 005|"), "3782 822463 10005|");
  });

  test("drops digits beyond the scheme's longest number", () => {
    assert.equal(edited("3782 822463 10005", "3782 822463 100059|"), "3782 822463 10005|");
  });
});
