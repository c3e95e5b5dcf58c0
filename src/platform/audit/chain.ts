import { createHmac } from "node:crypto";
import { toIso } from "../../kernel/time.ts";
import type { Head, LoggedEntry, Seal } from "./queries.ts";

/** What stands before the first entry. */
export const BEGINNING: Uint8Array = new Uint8Array(32);

/** The hash of an entry covers its content, its place, and the hash of the entry before it. */
export function hashOf(key: Uint8Array, entry: LoggedEntry, place: number, previous: Uint8Array): Uint8Array {
  const { id, at, act, merchantId, subjectId, detail, actor, address } = entry;
  // Entries without an actor keep the hash that they had before there were actors.
  const by = actor === null && address === null ? [] : [actor, address];
  const text = JSON.stringify([place, id, toIso(at), act, merchantId, subjectId, detail, ...by]);
  return createHmac("sha256", key).update("entry").update(previous).update(text).digest();
}

/** Proves the length of the chain: without the key, a shorter chain cannot be forged. */
export function proofOf(key: Uint8Array, { place, hash }: Pick<Head, "place" | "hash">): Uint8Array {
  return createHmac("sha256", key).update("head").update(String(place)).update(hash).digest();
}

/** Places entries after the last one. */
export function chained(
  key: Uint8Array,
  last: Pick<Head, "place" | "hash">,
  entries: readonly LoggedEntry[],
): readonly (Seal & { readonly id: number })[] {
  let { place, hash } = last;
  return entries.map((entry) => {
    const previous = hash;
    place += 1;
    hash = hashOf(key, entry, place, previous);
    return { id: entry.id, place, previous, hash };
  });
}
