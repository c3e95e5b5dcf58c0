import assert from "node:assert/strict";
import { test } from "node:test";
import { ALERT as DRAWN } from "../../../browser/ui/icons.ts";
import { ALERT } from "./address-block.ts";

test("the problems of the address have the icon of the other fields", () => {
  assert.equal(ALERT, DRAWN.html);
});
