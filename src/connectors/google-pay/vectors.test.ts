import assert from "node:assert/strict";
import { createPrivateKey, createPublicKey } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { instant, later, MINUTE } from "../../kernel/time.ts";
import { type AppleRecipient, unsealEcV1 } from "../apple-pay/ec-v1.ts";
import { APPLE_ROOT } from "../apple-pay/root.ts";
import { TokenRefused } from "../wallet-tokens/token-refused.ts";
import { type GoogleRecipient, unsealEcv2 } from "./ecv2.ts";
import { readRootKeys } from "./root-keys.ts";

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../../tests/vectors/${name}.json`, import.meta.url), "utf8"));

const refusedAs = (trouble: string) => (error: unknown) =>
  error instanceof TokenRefused && error.trouble === trouble;

describe("contract 8: ECv2, by Google's published vector", () => {
  const vector = read("google-ecv2");
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

  test("it opens, also when its key is not the first that is tried", () => {
    assert.equal(open(), vector.text);
    assert.equal(open({ privateKeys: privateKeys.slice(1) }), vector.text);
  });

  test("it does not open with another key, for another recipient or under another root", () => {
    assert.throws(() => open({ privateKeys: privateKeys.slice(0, 1) }), refusedAs("other_recipient"));
    assert.throws(() => open({ recipientId: "gateway:other" }), refusedAs("signature_invalid"));
    const root = createPublicKey(privateKeys[0]);
    const rootKeys = [{ key: root, expiresAt: later(now, MINUTE) }];
    assert.throws(() => open({ rootKeys }), refusedAs("signature_invalid"));
    assert.throws(() => open({ rootKeys: [] }), refusedAs("signature_invalid"));
  });

  test("the intermediate key counts until its expiry, and the root until its own", () => {
    const expiry = instant(1542394027316);
    assert.equal(open({}, later(expiry, -1)), vector.text);
    assert.throws(() => open({}, expiry), refusedAs("expired"));
    const rootKeys = recipient.rootKeys.map(({ key }) => ({ key, expiresAt: now }));
    assert.throws(() => open({ rootKeys }), refusedAs("signature_invalid"));
    assert.equal(open({ rootKeys }, later(now, -1)), vector.text);
  });
});

describe("contract 8: EC_v1, by a real token of Apple's", () => {
  const vector = read("apple-ec-v1");
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

  test("it is verified up to Apple's root and opens", () => {
    const { text, signedAt: time, applicationData } = open();
    assert.deepEqual(JSON.parse(text), vector.message);
    assert.equal(time, signedAt);
    assert.equal(applicationData, undefined);
  });

  test("it counts for five minutes on both sides of its time of signing", () => {
    for (const away of [5 * MINUTE, -5 * MINUTE]) assert.ok(open({}, later(signedAt, away)));
    for (const away of [5 * MINUTE + 1, -5 * MINUTE - 1]) {
      assert.throws(() => open({}, later(signedAt, away)), refusedAs("expired"));
    }
  });

  test("for another merchant id, or without its key, it does not open", () => {
    assert.throws(() => open({ merchantId: "merchant.other" }), refusedAs("other_recipient"));
    assert.throws(() => open({ privateKeys: [] }), refusedAs("other_recipient"));
  });
});
