import { refuseToken } from "../wallet-tokens/token-refused.ts";

const DEEPEST = 24;
const CONSTRUCTED = 0x20;
const INDEFINITE = 0x80;

/**
 * Refuses BER whose lengths do not add up. The library continues after a wrong length, so a changed token could be read
 * as the original.
 */
export function checkWellFormed(bytes: Uint8Array): void {
  if (elementEnd(bytes, 0, bytes.length, 0) !== bytes.length) refuseToken("unreadable");
}

/** Where the element that begins at `start` ends, if it is well-formed and inside `limit`. */
function elementEnd(bytes: Uint8Array, start: number, limit: number, depth: number): number {
  const tag = bytes[start] ?? refuseToken("unreadable");
  const first = bytes[start + 1] ?? refuseToken("unreadable");
  // Nothing that we read has tags of more than one byte; a zero only marks an end.
  if (depth > DEEPEST || (tag & 0x1f) === 0x1f || tag === 0) refuseToken("unreadable");
  const constructed = (tag & CONSTRUCTED) !== 0;
  if (first === INDEFINITE) {
    return constructed ? contentEnd(bytes, start + 2, limit, depth) : refuseToken("unreadable");
  }
  const { length, from } = lengthAt(bytes, start + 1, first);
  const end = from + length;
  if (end > limit) refuseToken("unreadable");
  let at = from;
  while (constructed && at < end) at = elementEnd(bytes, at, end, depth + 1);
  return end;
}

/** Content of indefinite length ends with two zeros. */
function contentEnd(bytes: Uint8Array, from: number, limit: number, depth: number): number {
  let at = from;
  while (bytes[at] !== 0) at = elementEnd(bytes, at, limit, depth + 1);
  return bytes[at + 1] === 0 && at + 2 <= limit ? at + 2 : refuseToken("unreadable");
}

/** A length in its shortest encoding. */
function lengthAt(bytes: Uint8Array, at: number, first: number): { length: number; from: number } {
  if (first < INDEFINITE) return { length: first, from: at + 1 };
  const count = first & 0x7f;
  let length = 0;
  for (let next = 1; next <= count; next += 1) length = length * 256 + (bytes[at + next] ?? 0);
  const shortest = count <= 3 && length >= (count === 1 ? INDEFINITE : 256 ** (count - 1));
  return shortest ? { length, from: at + 1 + count } : refuseToken("unreadable");
}
