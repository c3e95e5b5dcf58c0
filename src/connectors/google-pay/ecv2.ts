import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  type KeyObject,
  verify,
} from "node:crypto";
import type { Instant } from "../../kernel/time.ts";
import { sameBytes } from "../../platform/crypto/secrets.ts";
import { keyOfPoint, keyOfSpki, pointOf, sharedSecret } from "../wallet-tokens/curve.ts";
import { base64In, type JsonObject, objectOf, readObject, textIn } from "../wallet-tokens/strict-json.ts";
import { refuseToken } from "../wallet-tokens/token-refused.ts";

/** Google's payment data cryptography, protocol version ECv2. */
export const ECV2 = "ECv2";
const SENDER = "Google";

export type GoogleRootKey = { readonly key: KeyObject; readonly expiresAt: Instant };

export type GoogleRecipient = {
  readonly rootKeys: readonly GoogleRootKey[];
  /** `gateway:` and the gateway's id. */
  readonly recipientId: string;
  /** Each is tried: a new key is added before the old one is removed. */
  readonly privateKeys: readonly KeyObject[];
};

/** The decrypted message, and the digest of what was signed. */
export type Unsealed = { readonly text: string; readonly signedDigest: Uint8Array };

/** Verifies the chain of signatures from Google's root to the message, then decrypts the message. */
export function unsealEcv2(token: string, recipient: GoogleRecipient, now: Instant): Unsealed {
  const outer = readObject(token);
  if (textIn(outer, "protocolVersion") !== ECV2) refuseToken("unreadable");
  const signedMessage = textIn(outer, "signedMessage");
  const signer = intermediateKey(objectOf(outer["intermediateSigningKey"]), recipient.rootKeys, now);
  const signed = lengthPrefixed(SENDER, recipient.recipientId, ECV2, signedMessage);
  if (!isSignedBy(signer, signed, base64In(outer, "signature"))) refuseToken("signature_invalid");
  const text = openMessage(readObject(signedMessage), recipient.privateKeys);
  return { text, signedDigest: createHash("sha256").update("google_pay|").update(signedMessage).digest() };
}

/** The key that signed the message: a root key that has not expired signed it, and it has not expired either. */
function intermediateKey(given: JsonObject, rootKeys: readonly GoogleRootKey[], now: Instant): KeyObject {
  const signedKey = textIn(given, "signedKey");
  const signatures = given["signatures"];
  if (!Array.isArray(signatures) || signatures.length > 8) refuseToken("unreadable");
  const signed = lengthPrefixed(SENDER, ECV2, signedKey);
  const roots = rootKeys.filter(({ expiresAt }) => now < expiresAt);
  const isRootSigned = signatures.some((signature: unknown) => {
    const bytes = base64In({ signature }, "signature");
    return roots.some(({ key }) => isSignedBy(key, signed, bytes));
  });
  if (!isRootSigned) refuseToken("signature_invalid");
  const inner = readObject(signedKey);
  if (now >= momentIn(inner, "keyExpiration")) refuseToken("expired");
  return keyOfSpki(base64In(inner, "keyValue"));
}

function isSignedBy(key: KeyObject, signed: Uint8Array, signature: Uint8Array): boolean {
  return verify("sha256", signed, { key, dsaEncoding: "der" }, signature);
}

/** The tag is checked before decryption, in constant time. */
function openMessage(message: JsonObject, privateKeys: readonly KeyObject[]): string {
  const point = base64In(message, "ephemeralPublicKey");
  const publicKey = keyOfPoint(point);
  const encrypted = base64In(message, "encryptedMessage");
  const tag = base64In(message, "tag");
  for (const privateKey of privateKeys) {
    const { cipherKey, macKey } = keysFor(point, sharedSecret(privateKey, publicKey));
    if (!sameBytes(createHmac("sha256", macKey).update(encrypted).digest(), tag)) continue;
    const decipher = createDecipheriv("aes-256-ctr", cipherKey, ZERO_IV);
    return Buffer.concat([decipher.update(encrypted), decipher.final()]).toString("utf8");
  }
  return refuseToken("other_recipient");
}

const ZERO_IV = Buffer.alloc(16);
const ZERO_SALT = Buffer.alloc(32);

function keysFor(point: Uint8Array, secret: Uint8Array): { cipherKey: Buffer; macKey: Buffer } {
  const bytes = Buffer.from(hkdfSync("sha256", Buffer.concat([point, secret]), ZERO_SALT, SENDER, 64));
  return { cipherKey: bytes.subarray(0, 32), macKey: bytes.subarray(32) };
}

/** Encrypts a message to a recipient's public key, as Google does: for the sandbox's fake Google. */
export function sealMessage(
  text: string,
  to: KeyObject,
  ephemeral: { publicKey: KeyObject; privateKey: KeyObject },
): string {
  const point = pointOf(ephemeral.publicKey);
  const { cipherKey, macKey } = keysFor(point, sharedSecret(ephemeral.privateKey, to));
  const cipher = createCipheriv("aes-256-ctr", cipherKey, ZERO_IV);
  const encrypted = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return JSON.stringify({
    encryptedMessage: encrypted.toString("base64"),
    ephemeralPublicKey: point.toString("base64"),
    tag: createHmac("sha256", macKey).update(encrypted).digest("base64"),
  });
}

/** What a signature covers: each part after its length in bytes, as four bytes, little-endian. */
export function lengthPrefixed(...parts: readonly string[]): Buffer {
  return Buffer.concat(
    parts.flatMap((part) => {
      const bytes = Buffer.from(part, "utf8");
      const length = Buffer.alloc(4);
      length.writeUInt32LE(bytes.length);
      return [length, bytes];
    }),
  );
}

/** A time as Google writes it: milliseconds since 1970, as a text. */
export function momentIn(object: JsonObject, name: string): Instant {
  const text = textIn(object, name);
  return /^\d{1,15}$/.test(text) ? (Number(text) as Instant) : refuseToken("unreadable");
}
