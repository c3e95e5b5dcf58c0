import type { Instant } from "../../kernel/time.ts";
import { at, sql, type Tx } from "../db/database.ts";

/** Everything that goes on record. */
export type AuditAct =
  | "number_used"
  | "number_unreadable"
  | "number_erased"
  | "key_made"
  | "key_retired"
  | "key_destroyed"
  | "rotation_begun"
  | "rotation_ended"
  | "master_key_changed";

export type AuditEntry = {
  readonly act: AuditAct;
  readonly merchantId?: string | null;
  /** What it was done to: an instrument, a key. */
  readonly subjectId?: string;
  /** A few words of our own; never anything that somebody typed. */
  readonly detail?: string;
};

const INSERT = sql(
  "audit_insert",
  "insert into audit_log (at, act, merchant_id, subject_id, detail) values ($1, $2, $3, $4, $5)",
);

/** Puts on record what was done: in its transaction, or on its own when nothing else is written. Waits for nobody. */
export async function record(tx: Tx, entry: AuditEntry, now: Instant): Promise<void> {
  const { act, merchantId = null, subjectId = null, detail = "" } = entry;
  await tx.rows(INSERT, [at(now), act, merchantId, subjectId, detail]);
}
