import assert from "node:assert/strict";
import { test } from "node:test";
import { readOnce } from "./read-once.ts";

test("a value is read once, again after a change, and never kept if it failed or was read during a change", async () => {
  let change = () => {};
  const onChange = (_: string, forget: () => void) => {
    change = forget;
  };
  let read = async () => "old";
  const find = readOnce({ onChange }, "zones", (_: string) => read());
  assert.equal(await find("a"), "old");
  read = async () => "new";
  assert.equal(await find("a"), "old");
  assert.equal(await find("b"), "new", "each key has its own");
  change();
  assert.equal(await find("a"), "new");

  const { promise, resolve } = Promise.withResolvers<string>();
  change();
  read = () => promise;
  const slow = find("a");
  change();
  read = async () => "newest";
  resolve("outdated");
  assert.equal(await slow, "outdated");
  assert.equal(await find("a"), "newest");

  change();
  read = () => Promise.reject(new Error("no connection"));
  await assert.rejects(find("a"));
  read = async () => "read again";
  assert.equal(await find("a"), "read again");
});
