import assert from "node:assert/strict";
import { test } from "node:test";
import { isBankName, UNKNOWN_BANK } from "./bank-names.ts";

test("the name of a bank is that of an institution of either country, or says that it is unknown", () => {
  for (const name of ["Bendigo Bank", "Kiwibank", "Westpac", UNKNOWN_BANK])
    assert.equal(isBankName(name), true, name);
  for (const name of ["", "Mine", "toString"]) assert.equal(isBankName(name), false, name);
});
