import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { changedMetadata, isSameMetadata, metadataOf } from "./metadata.ts";

describe("contract 2: metadata", () => {
  test("no pairs are the same as no metadata", () => {
    assert.equal(metadataOf({}), null);
    assert.equal(metadataOf(undefined), null);
    assert.deepEqual(metadataOf({ a: "1" }), { a: "1" });
  });

  test("is the same in any order, and different by one key or one value", () => {
    assert.ok(isSameMetadata({ a: "1", b: "2" }, { b: "2", a: "1" }));
    assert.ok(isSameMetadata(null, {}));
    for (const other of [
      { a: "1" },
      { a: "1", b: "3" },
      { a: "1", c: "2" },
      { a: "1", b: "2", c: "3" },
      null,
    ])
      assert.ok(!isSameMetadata({ a: "1", b: "2" }, other), JSON.stringify(other));
    assert.ok(!isSameMetadata({ a: "1" }, { toString: "1" }));
  });

  test("a change replaces all pairs, and keeps them if it has none or the same", () => {
    const before = { a: "1", b: "2" };
    assert.equal(changedMetadata(before, undefined), before);
    assert.equal(changedMetadata(before, { b: "2", a: "1" }), before);
    assert.deepEqual(changedMetadata(before, { c: "3" }), { c: "3" });
    assert.equal(changedMetadata(before, {}), null);
  });
});
