import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { DAY, type Instant, instant, later } from "../../../kernel/time.ts";
import { ECV2, type GoogleRecipient, lengthPrefixed, sealMessage } from "../../google-pay/ecv2.ts";
import { spkiOf } from "../../wallet-tokens/curve.ts";

/** Keys of the sandbox's fake Google, and of the gateway that its tokens are for: PKCS #8, base64. */
export type FakeGoogleKeys = { readonly root: string; readonly recipient: string };

export const FAKE_GATEWAY = "tidegate-sandbox";
const RECIPIENT_ID = `gateway:${FAKE_GATEWAY}`;
const END_OF_TIME = instant(Date.UTC(2200, 0));

export function makeFakeGoogleKeys(): FakeGoogleKeys {
  return { root: newPrivateKey(), recipient: newPrivateKey() };
}

export function newPrivateKey(): string {
  const { privateKey } = newPair();
  return privateKey.export({ format: "der", type: "pkcs8" }).toString("base64");
}

export function newPair(): { readonly publicKey: KeyObject; readonly privateKey: KeyObject } {
  return generateKeyPairSync("ec", { namedCurve: "prime256v1" });
}

export function privateKeyOf(base64: string): KeyObject {
  return createPrivateKey({ key: Buffer.from(base64, "base64"), format: "der", type: "pkcs8" });
}

/** What the gateway opens tokens with: the public half of the root, and its own private key. */
export function fakeGoogleRecipient(keys: FakeGoogleKeys): GoogleRecipient {
  const root = createPublicKey(privateKeyOf(keys.root));
  return {
    rootKeys: [{ key: root, expiresAt: END_OF_TIME }],
    recipientId: RECIPIENT_ID,
    privateKeys: [privateKeyOf(keys.recipient)],
  };
}

/** Signs and encrypts a message as Google does, with a new signing key that the root signs. */
export function sealGoogleToken(message: string, keys: FakeGoogleKeys, now: Instant): string {
  const intermediate = newPair();
  const signedKey = JSON.stringify({
    keyValue: spkiOf(intermediate.publicKey).toString("base64"),
    keyExpiration: String(later(now, 7 * DAY)),
  });
  const recipient = createPublicKey(privateKeyOf(keys.recipient));
  const signedMessage = sealMessage(message, recipient, newPair());
  return JSON.stringify({
    protocolVersion: ECV2,
    signature: signature(intermediate.privateKey, "Google", RECIPIENT_ID, ECV2, signedMessage),
    intermediateSigningKey: {
      signedKey,
      signatures: [signature(privateKeyOf(keys.root), "Google", ECV2, signedKey)],
    },
    signedMessage,
  });
}

function signature(key: KeyObject, ...parts: readonly string[]): string {
  return sign("sha256", lengthPrefixed(...parts), { key, dsaEncoding: "der" }).toString("base64");
}
