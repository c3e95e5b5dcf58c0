import { KEY_BYTES } from "./cipher.ts";

const KEYS_AT_MOST = 8;

/** Master keys as an operator writes them: base64 or hex of 32 bytes each, apart by commas or line ends. */
export function parseKeyList(text: string): readonly Uint8Array[] | undefined {
  const words = text.split(/[\s,]+/).filter((word) => word !== "");
  const keys = words.map(parseKey).filter((key) => key !== undefined);
  const sound = keys.length === words.length && keys.length > 0 && keys.length <= KEYS_AT_MOST;
  return sound ? keys : undefined;
}

export function writeKey(key: Uint8Array): string {
  return Buffer.from(key).toString("base64");
}

function parseKey(text: string): Uint8Array | undefined {
  if (/^[0-9a-fA-F]{64}$/.test(text)) return Buffer.from(text, "hex");
  if (!/^[\w+/-]{43}=?$/.test(text)) return undefined;
  const key = Buffer.from(text, "base64");
  return key.length === KEY_BYTES ? key : undefined;
}

/**
 * A key that is not random: zeros, counting bytes, words. 32 random bytes never have fewer than 16 different values, nor
 * printable characters only.
 */
export function isSampleKey(key: Uint8Array): boolean {
  const counted = key.every((byte, index) => index === 0 || byte === ((key[index - 1] ?? 0) + 1) % 256);
  const printable = key.every((byte) => byte >= 0x20 && byte < 0x7f);
  return new Set(key).size < 16 || counted || printable;
}
