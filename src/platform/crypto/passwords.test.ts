import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { hashPassword, isPassword } from "./passwords.ts";

describe("passwords are kept as slow hashes", () => {
  test("the right password matches, another does not, and a missing hash matches nothing", async () => {
    const hash = await hashPassword("a harbour in the morning");
    assert.match(hash, /^scrypt\$131072\$8\$1\$[\w-]{22}\$[\w-]{43}$/);
    assert.equal(await isPassword("a harbour in the morning", hash), true);
    assert.equal(await isPassword("a harbour in the evening", hash), false);
    assert.equal(await isPassword("a harbour in the morning", undefined), false);
  });
});
