import assert from "node:assert/strict";
import { createPrivateKey, createPublicKey } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { instant, later, MINUTE } from "../../kernel/time.ts";
import { TokenRefused } from "../wallet-tokens/token-refused.ts";
import { type GoogleRecipient, unsealEcv2 } from "./ecv2.ts";
import { readRootKeys } from "./root-keys.ts";

const readVector = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../../tests/vectors/${name}.json`, import.meta.url), "utf8"));

const refusedAs = (problem: string) => (error: unknown) =>
  error instanceof TokenRefused && error.problem === problem;

describe("contract 8: ECv2, by Google's published vector", () => {
  const vector = readVector("google-ecv2");
  const now = instant(vector.now);
  const privateKeys = vector.privateKeys.map((key: string) =>
    createPrivateKey({ key: Buffer.from(key, "base64"), format: "der", type: "pkcs8" }),
  );
  const recipient: GoogleRecipient = {
    rootKeys: readRootKeys(JSON.stringify(vector.rootKeys)),
    recipientId: vector.recipientId,
    privateKeys,
  };
  const open = (change: Partial<GoogleRecipient> = {}, at = now) =>
    unsealEcv2(vector.token, { ...recipient, ...change }, at).text;

  test("opens with any of the recipient's keys", () => {
    assert.equal(open(), vector.text);
    assert.equal(open({ privateKeys: privateKeys.slice(1) }), vector.text);
  });

  test("does not open with another key, for another recipient or under another root", () => {
    assert.throws(() => open({ privateKeys: privateKeys.slice(0, 1) }), refusedAs("other_recipient"));
    assert.throws(() => open({ recipientId: "gateway:other" }), refusedAs("signature_invalid"));
    const root = createPublicKey(privateKeys[0]);
    const rootKeys = [{ key: root, expiresAt: later(now, MINUTE) }];
    assert.throws(() => open({ rootKeys }), refusedAs("signature_invalid"));
    assert.throws(() => open({ rootKeys: [] }), refusedAs("signature_invalid"));
  });

  test("the intermediate key is valid until its expiry, and the root until its own", () => {
    const expiry = instant(1542394027316);
    assert.equal(open({}, later(expiry, -1)), vector.text);
    assert.throws(() => open({}, expiry), refusedAs("expired"));
    const rootKeys = recipient.rootKeys.map(({ key }) => ({ key, expiresAt: now }));
    assert.throws(() => open({ rootKeys }), refusedAs("signature_invalid"));
    assert.equal(open({ rootKeys }, later(now, -1)), vector.text);
  });
});
