import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { defined } from "./defined.ts";

describe("defined", () => {
  test("leaves out what is undefined and keeps everything else, in order", () => {
    const members = defined({ a: 0, b: undefined, c: null, d: "", e: false });
    assert.deepEqual(Object.entries(members), [
      ["a", 0],
      ["c", null],
      ["d", ""],
      ["e", false],
    ]);
    assert.equal("b" in members, false);
  });

  test("makes an optional member of one that may be undefined, and leaves the others required", () => {
    type Field = { readonly name: string; readonly about?: string };
    const field = (about: string | undefined): Field => defined({ name: "amount", about });
    assert.deepEqual(field(undefined), { name: "amount" });
    assert.deepEqual(field("In cents."), { name: "amount", about: "In cents." });
    // @ts-expect-error `name` may be missing
    const missing: Field = defined({ name: undefined as string | undefined });
    assert.deepEqual(missing, {});
  });
});
