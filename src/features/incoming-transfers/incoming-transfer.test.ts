import assert from "node:assert/strict";
import { test } from "node:test";
import { cents } from "../../kernel/money.ts";
import { reasonToReturn } from "./incoming-transfer.ts";

test("only the exact amount pays an open request", () => {
  const open = { status: "created", amount: cents(3000) } as const;
  assert.equal(reasonToReturn(open, cents(3000)), undefined);
  assert.equal(reasonToReturn(open, cents(2999)), "short");
  assert.equal(reasonToReturn(open, cents(3001)), "over");
});

test("after the end the reason names how the request ended, whatever the amount", () => {
  for (const amount of [cents(2999), cents(3000), cents(3001)]) {
    for (const [status, reason] of [
      ["completed", "duplicate"],
      ["cancelled", "closed"],
      ["expired", "late"],
    ] as const) {
      assert.equal(reasonToReturn({ status, amount: cents(3000) }, amount), reason);
    }
  }
});
