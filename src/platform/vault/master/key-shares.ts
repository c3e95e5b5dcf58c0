import { randomBytes } from "node:crypto";
import { keyedHash } from "../../crypto/cipher.ts";
import { isSampleKey } from "../../crypto/key-list.ts";
import { sameBytes } from "../../crypto/secrets.ts";
import { masterIdOf } from "./local-key-wrapper.ts";

/** One custodian's part of a master key. All of them together are the key; all but one say nothing about it. */
export type KeyShare = {
  readonly number: number;
  readonly of: number;
  /** The id of the whole key: shares of different keys are not mixed up. */
  readonly masterId: string;
  readonly bytes: Uint8Array;
};

export const SHARES_AT_LEAST = 2;
export const SHARES_AT_MOST = 9;

const FORM = /^tidegate-share (\d) of (\d) ([\w-]{1,40}) ([A-Za-z0-9+/]{43}=) ([0-9a-f]{6})$/;

/** Splits by exclusive or: every share but the last is random, and the last makes up the difference. */
export function splitKey(key: Uint8Array, of: number): readonly KeyShare[] {
  const shares = Array.from({ length: of - 1 }, () => Uint8Array.from(randomBytes(key.length)));
  const last = xor([key, ...shares]);
  const masterId = masterIdOf(key);
  return [...shares, last].map((bytes, index) => ({ number: index + 1, of, masterId, bytes }));
}

/** The key that the shares make up, or what is wrong with them in a few words. */
export function joinShares(
  shares: readonly KeyShare[],
):
  | { readonly key: Uint8Array; readonly problem?: never }
  | { readonly key?: never; readonly problem: string } {
  const [first] = shares;
  if (first === undefined) return { problem: "there is no share" };
  if (shares.some(({ masterId, of }) => masterId !== first.masterId || of !== first.of))
    return { problem: "the shares are of different keys" };
  const numbers = new Set(shares.map(({ number }) => number));
  if (numbers.size < shares.length) return { problem: "a share is there twice" };
  if (shares.length !== first.of) return { problem: `${shares.length} of ${first.of} shares are there` };
  const key = xor(shares.map(({ bytes }) => bytes));
  return masterIdOf(key) === first.masterId && !isSampleKey(key)
    ? { key }
    : { problem: "the shares do not make up their key" };
}

/** One line, as a custodian stores it. Its end is the check value. */
export function writeShare(share: KeyShare): string {
  const { number, of, masterId, bytes } = share;
  return `tidegate-share ${number} of ${of} ${masterId} ${Buffer.from(bytes).toString("base64")} ${checkValueOf(share)}`;
}

/** Undefined when the text is not a share, or was mistyped: then its check value differs. */
export function readShare(text: string): KeyShare | undefined {
  const [, number = "", of = "", masterId = "", base64 = "", check = ""] = FORM.exec(text.trim()) ?? [];
  const share = {
    number: Number(number),
    of: Number(of),
    masterId,
    bytes: Uint8Array.from(Buffer.from(base64, "base64")),
  };
  if (share.number < 1 || share.number > share.of || share.of < SHARES_AT_LEAST) return undefined;
  return sameBytes(Buffer.from(checkValueOf(share)), Buffer.from(check)) ? share : undefined;
}

/** Six hex digits that two people can compare aloud. They reveal nothing of the 256 random bits. */
export function checkValueOf({ number, of, masterId, bytes }: KeyShare): string {
  const hash = keyedHash(bytes, `tidegate share ${number} of ${of} of ${masterId}`);
  return Buffer.from(hash).toString("hex").slice(0, 6);
}

function xor(parts: readonly Uint8Array[]): Uint8Array {
  const [first = new Uint8Array(0), ...others] = parts;
  return first.map((byte, index) => others.reduce((sum, part) => sum ^ (part[index] ?? 0), byte));
}
