import { createCipheriv, createDecipheriv, createHmac, createSecretKey, randomBytes } from "node:crypto";

export type Sealed = { readonly nonce: Uint8Array; readonly ciphertext: Uint8Array };

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
export const KEY_BYTES = 32;

export function newKey(): Uint8Array {
  return randomBytes(KEY_BYTES);
}

/** AES-256-GCM under a fresh random nonce. It opens with the same key for the same purpose alone. */
export function encrypt(key: Uint8Array, text: Uint8Array, boundTo: string): Sealed {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(boundTo));
  return { nonce, ciphertext: Buffer.concat([cipher.update(text), cipher.final(), cipher.getAuthTag()]) };
}

/** Undefined when anything differs: key, nonce, ciphertext, or what it is bound to. */
export function decrypt(key: Uint8Array, sealed: Sealed, boundTo: string): Buffer | undefined {
  const { nonce, ciphertext } = sealed;
  if (nonce.length !== NONCE_BYTES || ciphertext.length < TAG_BYTES) return undefined;
  try {
    const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(boundTo)).setAuthTag(ciphertext.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(ciphertext.subarray(0, -TAG_BYTES)), decipher.final()]);
  } catch {
    return undefined;
  }
}

export function keyedHash(key: Uint8Array, text: string): Uint8Array {
  return createHmac("sha256", key).update(text).digest();
}

/** The same for many texts under one key: importing the key takes four times as long as a hash. */
export function createKeyedHash(key: Uint8Array): (text: string) => Buffer {
  const imported = createSecretKey(key);
  return (text) => createHmac("sha256", imported).update(text).digest();
}
