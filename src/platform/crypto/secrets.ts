import { createHmac, hash, randomBytes, timingSafeEqual } from "node:crypto";

/** Unguessable text, safe in URLs. */
export function randomText(bytes: number): string {
  return randomBytes(bytes).toString("base64url");
}

/** For secrets of 128 random bits and more: there is nothing to guess, so one round of SHA-256 is as safe as a slow hash. */
export function hashSecret(secret: string): Uint8Array {
  return hash("sha256", secret, "buffer");
}

/** The same as text, for the name of a cached entry: it takes a quarter of the time. */
export function hashSecretText(secret: string): string {
  return hash("sha256", secret, "hex");
}

/** Compares in constant time. */
export function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}

/** HMAC-SHA256 over the UTF-8 bytes of a text, keyed by the UTF-8 bytes of another. */
export function macOf(key: string, text: string, form: "hex" | "base64"): string {
  return createHmac("sha256", key).update(text).digest(form);
}
