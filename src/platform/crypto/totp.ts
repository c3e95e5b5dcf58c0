import { createHmac, randomBytes } from "node:crypto";
import { type Instant, SECOND } from "../../kernel/time.ts";
import { sameBytes } from "./secrets.ts";

/** The defaults of every authenticator app (RFC 6238): SHA-1, six digits, 30 seconds. */
const STEP = 30 * SECOND;
const DIGITS = 6;
/** Clocks of phones drift: one step to either side is as good. */
const DRIFT = 1;

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** A new shared secret in base32, the way people type it into an app: 160 random bits. */
export function newTotpSecret(): string {
  return base32(randomBytes(20));
}

/** The step whose code this is, near that moment; undefined when it is none's. Compares in constant time. */
export function totpStep(secret: string, code: string, now: Instant): number | undefined {
  const current = Math.floor(now / STEP);
  const given = Buffer.from(code.replace(/\s/g, ""));
  let found: number | undefined;
  for (let step = current - DRIFT; step <= current + DRIFT; step += 1) {
    if (sameBytes(Buffer.from(totpCode(secret, step)), given)) found = step;
  }
  return found;
}

function totpCode(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac("sha1", fromBase32(secret)).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 15;
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, "0");
}

/** What an app reads from the picture. */
export function totpAddress(secret: string, issuer: string, account: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}`;
}

function base32(bytes: Uint8Array): string {
  let bits = "";
  for (const byte of bytes) bits += byte.toString(2).padStart(8, "0");
  return (bits.match(/.{5}/g) ?? []).map((five) => ALPHABET.charAt(Number.parseInt(five, 2))).join("");
}

function fromBase32(text: string): Uint8Array {
  let bits = "";
  for (const letter of text) bits += ALPHABET.indexOf(letter).toString(2).padStart(5, "0");
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], (eight) => Number.parseInt(eight, 2));
}
