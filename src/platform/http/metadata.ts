import type { Metadata } from "../../kernel/metadata.ts";
import { pairText } from "../db/metadata-pairs.ts";
import { answer, optional, pairs, text } from "./schema.ts";

/** The names that JavaScript's objects have a meaning for of their own are refused: a client may merge pairs into one. */
const KEY = { pattern: "^[A-Za-z0-9_.-]{1,40}$", except: ["__proto__", "constructor", "prototype"] } as const;

/** Pairs of the merchant's own. */
export const PAIRS_AT_MOST = 20;

const OWN_PAIRS = `Pairs of your own, at most ${PAIRS_AT_MOST}; answered and sent with events. Keys are case-sensitive.`;

const bodyOf = (max: number, about: string) =>
  optional(
    pairs({
      code: "metadata_object_invalid",
      max,
      about,
      key: { code: "metadata_key_invalid", ...KEY },
      value: text({ code: "metadata_value_invalid", min: 0, max: 500 }),
    }),
  );

/** `metadata` of a body. */
export const MetadataBody = bodyOf(PAIRS_AT_MOST, OWN_PAIRS);

/** The same where one pair of ours is answered beside the merchant's: what was read can be sent back. Rules count the own ones. */
export const metadataWithOurs = (about: string) => bodyOf(PAIRS_AT_MOST + 1, `${OWN_PAIRS} ${about}`);

export const MetadataAnswer = answer.optional(answer.pairs("The merchant's own pairs."));

/** `metadata[key]=value` of a list: only resources with this pair. */
export const METADATA_FILTER = {
  metadata: optional(
    pairs({
      code: "query_metadata_invalid",
      min: 1,
      max: 1,
      about: "One pair, as `metadata[key]=value`: only resources that have it.",
      key: { code: "query_metadata_invalid", ...KEY },
      value: text({ code: "query_metadata_invalid", min: 0, max: 500 }),
    }),
  ),
};

/** The one pair of a checked query, as lists search for it. */
export function pairFilter(metadata: Metadata | undefined, scope?: string): string | undefined {
  const [pair] = Object.entries(metadata ?? {});
  return pair && pairText({ key: pair[0], value: pair[1] }, scope);
}

const BRACKETED = /^metadata\[(.*)\]$/is;

/**
 * The query with `metadata[a]=b` as `metadata: { a: "b" }`. The word is taken in any case, the key as it stands. Beside a
 * plain `metadata=x` it becomes a list, which no parameter takes.
 */
export function withMetadata(query: unknown): unknown {
  const all = Object.entries(query as Readonly<Record<string, unknown>>);
  if (all.length === 0) return query;
  const bracketed = all.flatMap(([name, value]) => {
    const key = BRACKETED.exec(name)?.[1];
    return key === undefined ? [] : [[key, value] as const];
  });
  if (bracketed.length === 0) return query;
  const others = all.filter(([name]) => !BRACKETED.test(name));
  const pairs = Object.fromEntries(bracketed);
  const plain = others.find(([name]) => name === "metadata");
  return Object.fromEntries([...others, ["metadata", plain === undefined ? pairs : [plain[1], pairs]]]);
}
