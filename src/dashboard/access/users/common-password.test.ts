import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { isCommonPassword } from "./common-password.ts";

describe("common passwords", () => {
  for (const password of [
    "qwerty123456",
    "Password1234!",
    "P@ssw0rd2026!",
    "passwordpassword",
    "aaaaaaaaaaaaaa",
    "abcabcabcabc",
    "1234567890123456",
    "123456789987654321",
    "!!!!iloveyou!!!!",
    " LeaveMeAlone ",
  ]) {
    test(`${password} is one`, async () => assert.equal(await isCommonPassword(password), true));
  }

  for (const password of [
    "a harbour in the morning",
    "kelp and driftwood",
    "correct-horse-battery",
    "Zt4!mQ9#rw2Lx",
    "f3a9c1d87b20e4",
    "пароль за дверью сарая",
  ]) {
    test(`${password} is none`, async () => assert.equal(await isCommonPassword(password), false));
  }
});
