import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Id } from "../../kernel/ids.ts";
import { HOUR, instant, later } from "../../kernel/time.ts";
import {
  isOpen,
  merchantOfSession,
  merchantOfToken,
  publicPart,
  sessionSecret,
  tokenExpiry,
} from "./token.ts";

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

  test("a token says whether its request offers a wallet", () => {
    for (const [methods, mark] of [
      [undefined, ""],
      [["card"], ""],
      [["card", "google_pay"], "w"],
      [["apple_pay"], "w"],
    ] as const)
      assert.equal(publicPart(ID, methods), `tok_${ID.slice(4)}${mark}`);
  });

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

test("a token lives for an hour, and never longer than its payment request", () => {
  const now = instant(0);
  for (const [left, life] of [
    [HOUR + 1, HOUR],
    [HOUR - 1, HOUR - 1],
  ] as const)
    assert.equal(tokenExpiry(now, later(now, left)), life);
});

test("a session is open from its start to the end of its token, and not at it", () => {
  const expiresAt = instant(HOUR);
  assert.equal(isOpen({ status: "initialised", expiresAt }, instant(HOUR - 1)), true);
  assert.equal(isOpen({ status: "initialised", expiresAt }, expiresAt), false);
  assert.equal(isOpen({ status: "processed", expiresAt }, instant(0)), false);
});
