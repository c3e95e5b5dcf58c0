import {
  createCipheriv,
  createDecipheriv,
  createHash,
  type KeyObject,
  type X509Certificate,
} from "node:crypto";
import type { Instant } from "../../kernel/time.ts";
import { keyOfSpki, sharedSecret, spkiOf } from "../wallet-tokens/curve.ts";
import { base64In, hexOf, objectOf, optionalTextIn, textIn } from "../wallet-tokens/strict-json.ts";
import { refuseToken } from "../wallet-tokens/token-refused.ts";
import { verifyAppleSignature } from "./signature.ts";

/** Apple's payment token format, version EC_v1. */
export const EC_V1 = "EC_v1";

export type AppleRecipient = {
  /** The root of trust: Apple's, or the sandbox's own. */
  readonly root: X509Certificate;
  readonly merchantId: string;
  /** Private keys of payment processing certificates. A new one is added before the old one is removed. */
  readonly privateKeys: readonly { readonly key: KeyObject; readonly publicKey: KeyObject }[];
};

export type UnsealedApple = {
  readonly text: string;
  readonly signedDigest: Uint8Array;
  readonly signedAt: Instant;
  /** The digest of the application data that the payment sheet was opened with, if any. */
  readonly applicationData: Buffer | undefined;
};

/** Verifies the signer of a token and the time of signing, then decrypts it with the key that it names. */
export function unsealEcV1(token: unknown, recipient: AppleRecipient, now: Instant): UnsealedApple {
  const outer = objectOf(token);
  if (textIn(outer, "version") !== EC_V1) refuseToken("unreadable");
  const header = objectOf(outer["header"]);
  const data = base64In(outer, "data");
  const ephemeral = base64In(header, "ephemeralPublicKey");
  const ephemeralKey = keyOfSpki(ephemeral);
  const applicationText = optionalTextIn(header, "applicationData");
  const applicationData = applicationText === undefined ? undefined : hexOf(applicationText);
  const parts = [ephemeral, data, hexOf(textIn(header, "transactionId")), applicationData ?? Buffer.alloc(0)];
  const signed = Buffer.concat(parts);
  const named = textIn(header, "publicKeyHash");
  const own = recipient.privateKeys.find(({ publicKey }) => publicKeyHash(publicKey) === named);
  if (own === undefined) refuseToken("other_recipient");
  const signedAt = verifyAppleSignature(base64In(outer, "signature"), signed, recipient.root, now);
  const key = symmetricKey(sharedSecret(own.key, ephemeralKey), recipient.merchantId);
  const signedDigest = createHash("sha256").update("apple_pay|").update(signed).digest();
  return { text: decrypt(key, data), signedDigest, signedAt, applicationData };
}

export function publicKeyHash(publicKey: KeyObject): string {
  return createHash("sha256").update(spkiOf(publicKey)).digest("base64");
}

const ZERO_IV = Buffer.alloc(16);
const TAG_LENGTH = 16;

function decrypt(key: Uint8Array, data: Buffer): string {
  if (data.length <= TAG_LENGTH) refuseToken("unreadable");
  const decipher = createDecipheriv("aes-256-gcm", key, ZERO_IV, { authTagLength: TAG_LENGTH });
  decipher.setAuthTag(data.subarray(-TAG_LENGTH));
  try {
    return Buffer.concat([decipher.update(data.subarray(0, -TAG_LENGTH)), decipher.final()]).toString("utf8");
  } catch {
    return refuseToken("other_recipient");
  }
}

/** Encrypts as Apple does: for the sandbox's fake Apple. */
export function sealEcV1(text: string, secret: Uint8Array, merchantId: string): Buffer {
  const cipher = createCipheriv("aes-256-gcm", symmetricKey(secret, merchantId), ZERO_IV, {
    authTagLength: TAG_LENGTH,
  });
  return Buffer.concat([cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
}

const ALGORITHM = Buffer.from("\x0did-aes256-GCM", "latin1");

/** The one-step key derivation of NIST SP 800-56A, with one round of SHA-256. */
function symmetricKey(secret: Uint8Array, merchantId: string): Buffer {
  return createHash("sha256")
    .update(Buffer.from([0, 0, 0, 1]))
    .update(secret)
    .update(ALGORITHM)
    .update("Apple", "latin1")
    .update(createHash("sha256").update(merchantId).digest())
    .digest();
}
