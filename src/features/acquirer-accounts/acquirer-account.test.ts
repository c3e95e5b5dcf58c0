import assert from "node:assert/strict";
import { test } from "node:test";
import { type AccountStatus, type AcquirerAccount, hasRoom } from "./acquirer-account.ts";

test("a merchant has at most twenty active acquirer accounts; disabled ones do not count", () => {
  const accounts = (count: number, status: AccountStatus) =>
    Array.from({ length: count }, () => ({ status }) as AcquirerAccount);
  assert.equal(hasRoom([...accounts(19, "active"), ...accounts(20, "disabled")]), true);
  assert.equal(hasRoom(accounts(20, "active")), false);
});
