import { createHmac } from "node:crypto";
import type { Instant } from "../../src/kernel/time.ts";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** The code that an authenticator app shows at that moment (RFC 6238), computed without the gateway's code. */
export function totpCodeAt(secret: string, now: Instant): string {
  const bits = Array.from(secret, (letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, "0")).join("");
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((eight) => Number.parseInt(eight, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(now / 30_000)));
  const mac = createHmac("sha1", key).update(counter).digest();
  const number = mac.readUInt32BE(mac.readUInt8(19) % 16) % 2 ** 31;
  return String(number % 1_000_000).padStart(6, "0");
}
