import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Edit } from "./edit-digits.ts";
import { editExpiry } from "./edit-expiry.ts";

/** The bar is the caret. */
function edited(before: string, after: string, deleted?: Edit["deleted"]): string {
  const caret = after.indexOf("|");
  const { value, caret: moved } = editExpiry({ before, after: after.replace("|", ""), caret, deleted });
  return `${value.slice(0, moved)}|${value.slice(moved)}`;
}

function typed(keys: string): string {
  let value = "";
  for (const key of keys) value = edited(value, `${value}${key}|`).replace("|", "");
  return value;
}

describe("expiry: the field adds the slash", () => {
  test("digit by digit, with or without a typed slash", () => {
    for (const keys of ["1230", "12/30", "12 / 30", "12/2030", "122030"])
      assert.equal(typed(keys), "12 / 30", keys);
    for (const keys of ["430", "4/30", "0430", "4/2030"]) assert.equal(typed(keys), "04 / 30", keys);
    for (const keys of ["1/30", "1 30", "1 2030", "١ ٢٠٣٠", "１　２０３０"])
      assert.equal(typed(keys), "01 / 30", keys);
    for (const keys of ["١٢٣٠", "۱۲/۳۰", "１２／３０"]) assert.equal(typed(keys), "12 / 30", keys);
    assert.equal(typed("12"), "12 / ");
    for (const keys of ["1330", "13/30", "13 / 30"]) assert.equal(typed(keys), "13 / 30", keys);
    assert.equal(edited("", "23 / 30|"), "23 / 30|");
  });

  test("a year that comes first, and a month by its name, digit by digit and letter by letter", () => {
    for (const keys of ["2030-12", "2030/12", "2030.12"]) assert.equal(typed(keys), "12 / 30", keys);
    assert.equal(typed("2030-02"), "02 / 30");
    assert.equal(typed("2030-1"), "2030-1", "it may become 12");
    for (const keys of ["Dec 2030", "dec30", "December 2030", "DEC/30"])
      assert.equal(typed(keys), "12 / 30", keys);
    for (const keys of ["Jan 2030", "january30"]) assert.equal(typed(keys), "01 / 30", keys);
    assert.equal(typed("Ma"), "Ma", "March or May");
    assert.equal(typed("xyz1230"), "12 / 30", "no month");
    for (const keys of ["230", "2/30", "0230", "2/2030"]) assert.equal(typed(keys), "02 / 30", keys);
  });

  test("backspace deletes through the slash", () => {
    assert.equal(edited("12 / 3", "12 / |", "backward"), "12|");
    assert.equal(edited("12 / ", "12 /|", "backward"), "1|");
    assert.equal(edited("1", "|", "backward"), "|");
  });

  test("autofilled dates get the same format", () => {
    for (const filled of [
      "12/2030|",
      "12/30|",
      "2030-12|",
      "12 / 2030|",
      "Dec 2030|",
      "١٢/٢٠٣٠|",
      "December 2030|",
    ]) {
      assert.equal(edited("", filled), "12 / 30|", filled);
    }
  });

  test("an edit of the month leaves the caret in the month", () => {
    assert.equal(edited("02 / 30", "1|2 / 30"), "1|2 / 30");
  });
});
