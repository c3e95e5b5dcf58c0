import assert from "node:assert/strict";
import { test } from "node:test";
import { readAnswer } from "./host-answer.ts";

test("an answer that does not say what happened is none, unless it is a 0430", () => {
  for (const unclear of [{}, { 39: "  " }, { 39: "10" }]) {
    for (const type of ["0110", "0210", "0230"])
      assert.equal(readAnswer({ type, fields: unclear }), undefined, type);
    const responseCode = unclear[39]?.trim() ?? "";
    assert.equal(readAnswer({ type: "0430", fields: unclear })?.responseCode, responseCode);
  }
  assert.equal(readAnswer({ type: "0210", fields: { 4: "000000000100", 39: "10" } })?.approvedAmount, 100);
});
