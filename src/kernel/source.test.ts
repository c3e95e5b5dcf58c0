import assert from "node:assert/strict";
import { test } from "node:test";
import { isRail } from "./source.ts";

test("PayID is a rail; cards, wallets and pages are none", () => {
  assert.equal(isRail("payid"), true);
  for (const flow of ["card", "apple_pay", "checkout", "hosted_page"]) assert.equal(isRail(flow), false);
});
