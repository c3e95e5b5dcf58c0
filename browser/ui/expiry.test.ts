import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ENGLISH_CHECKOUT as WORDS } from "../../src/kernel/languages/english.ts";
import { expiryDigits, expiryProblem, groupExpiry, readExpiry } from "./expiry.ts";

describe("contract 11: expiry is typed as MM / YY", () => {
  test("typed and autofilled formats give the same month", () => {
    const same = [
      "12 / 30",
      "12/30",
      "1230",
      "12/2030",
      "12 / 2030",
      "122030",
      "12-30",
      "2030-12",
      "2030 12",
      "203012",
      "2030–12",
      "12.30",
      "12 30",
      "Dec 2030",
      "december 30",
    ];
    for (const text of same) assert.deepEqual(readExpiry(text), { month: 12, year: 2030 }, text);
    for (const text of ["1/30", "01/30", "0130", "2030-1", "1-2030", "1 2030", "1 30", "Jan 2030"]) {
      assert.deepEqual(readExpiry(text), { month: 1, year: 2030 }, text);
    }
  });

  test("reads the digits of full-width, Arabic and Persian keyboards", () => {
    for (const text of ["１２/３０", "١٢/٣٠", "١٢ / ٢٠٣٠", "۱۲۳۰", "٢٠٣٠-١٢"])
      assert.deepEqual(readExpiry(text), { month: 12, year: 2030 }, text);
    assert.deepEqual(readExpiry("١ ٢٠٣٠"), { month: 1, year: 2030 });
  });

  test("spaces between all digits separate nothing", () => {
    assert.deepEqual(readExpiry("1 2 3 0"), { month: 12, year: 2030 });
    assert.deepEqual(readExpiry("0 1 3 0"), { month: 1, year: 2030 });
  });

  test("a digit that can only be a month of its own gets a zero at once", () => {
    assert.equal(expiryDigits("4"), "04");
    assert.equal(expiryDigits("1"), "1");
    assert.equal(expiryDigits("0"), "0");
  });

  test("never changes a month of two digits", () => {
    for (const text of ["13 / 30", "13/30", "1330", "19 / 2030"]) {
      assert.match(expiryProblem(WORDS, text) ?? "", /01 to 12/, text);
    }
    for (const text of ["20 / 30", "23 / 30", "99/30"])
      assert.match(expiryProblem(WORDS, text) ?? "", /01 to 12/, text);
    assert.equal(expiryDigits("13"), "13");
  });

  test("accepts a year of four digits and shortens it to two", () => {
    assert.equal(expiryDigits("12 / 20"), "1220");
    assert.equal(expiryDigits("12 / 203"), "12203");
    assert.equal(expiryDigits("12 / 2030"), "1230");
    assert.equal(expiryDigits("12 / 304"), "1230");
  });

  test("adds the slash when the month is complete, and not when deleting", () => {
    assert.equal(groupExpiry("1", true), "1");
    assert.equal(groupExpiry("12", true), "12 / ");
    assert.equal(groupExpiry("12", false), "12");
    assert.equal(groupExpiry("123", false), "12 / 3");
  });

  test("does not take the start of a year for a month", () => {
    for (const text of ["2030", "2030-", "20"])
      assert.match(expiryProblem(WORDS, text) ?? "", /MM \/ YY/, text);
  });

  test("names the problem", (t) => {
    t.mock.timers.enable({ apis: ["Date"], now: new Date(2026, 10, 15) });
    assert.match(expiryProblem(WORDS, "") ?? "", /^Enter the expiry date\.$/);
    assert.match(expiryProblem(WORDS, "12") ?? "", /MM \/ YY/);
    assert.match(expiryProblem(WORDS, "00 / 30") ?? "", /01 to 12/);
    assert.match(expiryProblem(WORDS, "10 / 26") ?? "", /has expired/);
    assert.match(expiryProblem(WORDS, "12 / 25") ?? "", /has expired/);
    assert.equal(expiryProblem(WORDS, "11 / 26"), undefined);
    assert.equal(expiryProblem(WORDS, "12 / 45"), undefined);
    assert.match(expiryProblem(WORDS, "12 / 46") ?? "", /Check the year/);
  });
});
