import { sameBytes } from "../crypto/secrets.ts";
import type { Database, Tx } from "../db/database.ts";
import { BEGINNING, chained, proofOf } from "./chain.ts";
import {
  awaitSealing,
  findHead,
  type Head,
  type LoggedEntry,
  listSealed,
  listUnsealed,
  putHead,
  sealEntries,
  takeSealing,
} from "./queries.ts";

/** The key of the chain. The vault keeps it. */
export type AuditKeys = {
  readonly ofAudit: (tx: Tx) => Promise<{ readonly id: string; readonly key: Uint8Array }>;
};

const AT_ONCE = 500;

/**
 * Chains the entries since the last run, so that the use of a number does not wait for the chain. Returns `more` when
 * there may be more, and `broken` when the end of the chain was changed: to continue there would hide it. With `insist`
 * it waits for another node that is doing the same.
 */
export async function sealAudit(
  db: Database,
  keys: AuditKeys,
  insist = false,
): Promise<"done" | "more" | "broken"> {
  return db.transaction(async (tx) => {
    if (insist) await awaitSealing(tx);
    else if (!(await takeSealing(tx))) return "done";
    const entries = await listUnsealed(tx, AT_ONCE);
    if (entries.length === 0) return "done";
    const own = await keys.ofAudit(tx);
    const { key } = own;
    const end = await findEnd(tx, own, entries);
    if (end === undefined) return "broken";
    const seals = chained(key, end, entries);
    await sealEntries(tx, seals);
    const last = seals.at(-1);
    if (last !== undefined) await putHead(tx, { ...last, proof: proofOf(key, last) });
    return entries.length < AT_ONCE ? "done" : "more";
  });
}

/**
 * Where the chain goes on; undefined if its end was moved or removed. It begins only where the making of its own key is
 * among the first entries: a log that was wiped does not begin again.
 */
async function findEnd(
  tx: Tx,
  { id, key }: { readonly id: string; readonly key: Uint8Array },
  entries: readonly LoggedEntry[],
): Promise<Pick<Head, "place" | "hash"> | undefined> {
  const head = await findHead(tx);
  if (head !== undefined) return sameBytes(head.proof, proofOf(key, head)) ? head : undefined;
  const begins =
    entries.some((entry) => isEntryOfOwnKey(id, entry)) && (await listSealed(tx, 0, 1)).length === 0;
  return begins ? { place: 0, hash: BEGINNING } : undefined;
}

/** The entry that is in every genuine log: the key of the chain was made. */
export function isEntryOfOwnKey(auditKeyId: string, { act, subjectId }: LoggedEntry): boolean {
  return act === "key_made" && subjectId === auditKeyId;
}
