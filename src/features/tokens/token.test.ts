import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Id } from "../../kernel/ids.ts";
import { merchantOfSession, merchantOfToken, publicPart, sessionSecret } from "./token.ts";

const ID = "mer_01arz3ndektsv4rrffq69g5fav000" as Id<"merchant">;
/** Its last letter is the one that marks wallets. */
const WITH_W = "mer_01arz3ndektsv4rrffq69g5favw0w" as Id<"merchant">;

describe("what a payer's page holds names its merchant", () => {
  for (const id of [ID, WITH_W]) {
    test(`a token of ${id}, with and without wallets`, () => {
      assert.equal(merchantOfToken(`${publicPart(id, ["card"])}_secret_w_`), id);
      assert.equal(merchantOfToken(`${publicPart(id, ["card", "apple_pay"])}_secret`), id);
    });
  }

  test("a text that is no token names none", () => {
    for (const text of ["", "tok_", "tok__x", `tok_${ID.slice(4)}`, `tok_${ID.slice(5)}_x`, `${ID}_x`])
      assert.equal(merchantOfToken(text), undefined, text);
  });

  test("a session names its merchant; one from before does not", () => {
    assert.equal(merchantOfSession(sessionSecret(ID, "secret")), ID);
    assert.equal(merchantOfSession("a-session_of-43-characters-without-merchant"), undefined);
    assert.equal(merchantOfSession("short.secret"), undefined);
  });
});
