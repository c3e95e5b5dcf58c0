import assert from "node:assert/strict";
import { userInfo } from "node:os";
import { test } from "node:test";
import { commandActor } from "./record-command.ts";

test("the account before sudo counts for root alone: others could set the variable themselves", () => {
  const environment = { SUDO_USER: "alex" };
  assert.equal(commandActor(environment, 0).actor, "cli:alex as root");
  assert.equal(commandActor(environment, 1000).actor, `cli:${userInfo().username}`);
});
