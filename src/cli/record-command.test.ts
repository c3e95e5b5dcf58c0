import assert from "node:assert/strict";
import { userInfo } from "node:os";
import { test } from "node:test";
import { commandActor } from "./record-command.ts";

test("a command after sudo is of both accounts: an operator can set the variable, but not the account", () => {
  const me = userInfo().username;
  assert.equal(commandActor({}).actor, `cli:${me}`);
  assert.equal(commandActor({ SUDO_USER: "alex" }).actor, `cli:alex as ${me}`);
  assert.equal(commandActor({ SUDO_USER: "x".repeat(500) }).actor, `cli:${"x".repeat(60)} as ${me}`);
});
