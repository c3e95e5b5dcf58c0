import { sameBytes } from "../crypto/secrets.ts";
import type { Database, Tx } from "../db/database.ts";
import { BEGINNING, hashOf, proofOf } from "./chain.ts";
import { findHead, type Head, listSealed } from "./queries.ts";
import { type AuditKeys, isEntryOfOwnKey, sealAudit } from "./seal-audit.ts";

/** Where the chain stands: its length and the hash of its last entry. Kept elsewhere, it proves that nothing was cut off. */
export type Mark = { readonly place: number; readonly hash: string };

export type Finding = { readonly place: number; readonly problem: string };

export type Verdict = {
  /** Entries that were found to be as they were written. */
  readonly intact: number;
  readonly head: Mark | undefined;
  /** The first place where the chain breaks. */
  readonly broken: Finding | undefined;
};

const PAGE = 1_000;

/** Computes the chain again from its start. `kept` are earlier marks: the chain must still contain them. */
export async function verifyAudit(
  db: Database,
  keys: AuditKeys,
  kept: readonly Mark[] = [],
): Promise<Verdict> {
  while ((await sealAudit(db, keys, true)) === "more");
  const { id, key } = await keys.ofAudit(db);
  const head = await findHead(db);
  if (head !== undefined && !sameBytes(head.proof, proofOf(key, head))) {
    return {
      intact: 0,
      head: undefined,
      broken: { place: head.place, problem: "the end of the chain was moved" },
    };
  }
  const { last, broken, hasEntryOfOwnKey } = await walk(db, { id, key }, head?.place ?? 0, kept);
  const end = head && { place: head.place, hash: hex(head.hash) };
  const wiped = hasEntryOfOwnKey ? undefined : { place: 1, problem: WIPED };
  return { intact: last.place, head: end, broken: broken ?? endProblem(head, last, kept) ?? wiped };
}

/** Every log has an entry about the key that seals it. */
const WIPED = "the log was wiped: the vault has keys, and the log does not have the entry of its own key";

type Reached = { readonly place: number; readonly hash: Uint8Array };

async function walk(
  tx: Tx,
  { id, key }: { readonly id: string; readonly key: Uint8Array },
  until: number,
  kept: readonly Mark[],
): Promise<{
  readonly last: Reached;
  readonly broken: Finding | undefined;
  readonly hasEntryOfOwnKey: boolean;
}> {
  let last: Reached = { place: 0, hash: BEGINNING };
  let hasEntryOfOwnKey = false;
  for (;;) {
    const page = await listSealed(tx, last.place, PAGE);
    for (const entry of page) {
      if (entry.place > until && until > 0) return { last, broken: undefined, hasEntryOfOwnKey };
      const problem = problemOf(key, entry, last, kept);
      if (problem !== undefined)
        return { last, broken: { place: last.place + 1, problem }, hasEntryOfOwnKey };
      hasEntryOfOwnKey ||= isEntryOfOwnKey(id, entry);
      last = { place: entry.place, hash: entry.hash };
    }
    if (page.length < PAGE) return { last, broken: undefined, hasEntryOfOwnKey };
  }
}

type Sealed = Awaited<ReturnType<typeof listSealed>>[number];

function problemOf(key: Uint8Array, entry: Sealed, last: Reached, kept: readonly Mark[]): string | undefined {
  if (entry.place !== last.place + 1) return `the entries before place ${entry.place} are missing`;
  if (!sameBytes(entry.previous, last.hash)) return "this entry does not follow the one before it";
  if (!sameBytes(entry.hash, hashOf(key, entry, entry.place, last.hash))) return "this entry was changed";
  const mark = kept.find(({ place }) => place === entry.place);
  if (mark !== undefined && mark.hash !== hex(entry.hash)) return "this entry is not the one that was kept";
  return undefined;
}

function endProblem(head: Head | undefined, last: Reached, kept: readonly Mark[]): Finding | undefined {
  const place = last.place + 1;
  if (head === undefined && last.place > 0)
    return { place, problem: "the end of the chain is not on record" };
  if (head !== undefined && last.place < head.place) {
    return { place, problem: `the entries up to place ${head.place} are missing` };
  }
  const beyond = kept.find((mark) => mark.place > last.place);
  return (
    beyond && { place, problem: `the entries up to place ${beyond.place}, which were kept, are missing` }
  );
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}
