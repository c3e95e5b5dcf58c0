import assert from "node:assert/strict";
import { createPrivateKey, createPublicKey } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { instant, later, MINUTE } from "../../kernel/time.ts";
import { TokenRefused } from "../wallet-tokens/token-refused.ts";
import { type AppleRecipient, unsealEcV1 } from "./ec-v1.ts";
import { APPLE_ROOT } from "./root.ts";

const readVector = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../../tests/vectors/${name}.json`, import.meta.url), "utf8"));

const refusedAs = (problem: string) => (error: unknown) =>
  error instanceof TokenRefused && error.problem === problem;

describe("contract 8: EC_v1, by a real token of Apple's", () => {
  const vector = readVector("apple-ec-v1");
  const signedAt = instant(Date.parse(vector.signedAt));
  const key = createPrivateKey({
    key: Buffer.from(vector.privateKey, "base64"),
    format: "der",
    type: "sec1",
  });
  const recipient: AppleRecipient = {
    root: APPLE_ROOT,
    merchantId: vector.merchantId,
    privateKeys: [{ key, publicKey: createPublicKey(key) }],
  };
  const open = (change: Partial<AppleRecipient> = {}, at = signedAt) =>
    unsealEcV1(vector.token, { ...recipient, ...change }, at);

  test("the root is the one that Apple publishes", () => {
    const print =
      "63:34:3A:BF:B8:9A:6A:03:EB:B5:7E:9B:3F:5F:A7:BE:7C:4F:5C:75:6F:30:17:B3:A8:C4:88:C3:65:3E:91:79";
    assert.equal(APPLE_ROOT.fingerprint256, print);
  });

  test("verifies up to Apple's root and opens", () => {
    const { text, signedAt: time, applicationData } = open();
    assert.deepEqual(JSON.parse(text), vector.message);
    assert.equal(time, signedAt);
    assert.equal(applicationData, undefined);
  });

  test("is valid for five minutes before and after its time of signing", () => {
    for (const away of [5 * MINUTE, -5 * MINUTE]) assert.ok(open({}, later(signedAt, away)));
    for (const away of [5 * MINUTE + 1, -5 * MINUTE - 1]) {
      assert.throws(() => open({}, later(signedAt, away)), refusedAs("expired"));
    }
  });

  test("does not open for another merchant id, or without its key", () => {
    assert.throws(() => open({ merchantId: "merchant.other" }), refusedAs("other_recipient"));
    assert.throws(() => open({ privateKeys: [] }), refusedAs("other_recipient"));
  });
});
