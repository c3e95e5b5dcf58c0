import type { Instant } from "../../../kernel/time.ts";
import { at, sql, type Tx } from "../../../platform/db/database.ts";

export type Attempts = { readonly failures: number; readonly blockedUntil: Instant | null };

const COUNT = sql(
  "sign_in_attempts_count",
  `insert into sign_in_attempts as t (subject, failures, last_at) values ($1, 1, $2)
   on conflict (subject) do update set
     failures = case when t.last_at < $3 then 1 when t.blocked_until > $2 then t.failures else t.failures + 1 end,
     last_at = case when t.blocked_until > $2 then t.last_at else $2 end
   returning failures, blocked_until as "blockedUntil"`,
);
const BLOCK = sql(
  "sign_in_attempts_block",
  "update sign_in_attempts set blocked_until = $2 where subject = $1",
);
const MARK_RECORDED = sql(
  "sign_in_attempts_mark_recorded",
  `update sign_in_attempts set recorded_at = $2
   where subject = $1 and (recorded_at is null or recorded_at <= $3) returning 1`,
);
const FORGIVE = sql(
  "sign_in_attempts_forgive",
  "update sign_in_attempts set failures = greatest(failures - 1, 0), blocked_until = null where subject = $1",
);
const DELETE = sql("sign_in_attempts_forget", "delete from sign_in_attempts where subject = $1");
const DELETE_OLD = sql("sign_in_attempts_delete_old", "delete from sign_in_attempts where last_at < $1");

/** Counts one more attempt; failures before `since` are dropped. */
export async function countAttempt(
  tx: Tx,
  subject: Uint8Array,
  now: Instant,
  since: Instant,
): Promise<Attempts> {
  const [attempts] = await tx.rows<Attempts>(COUNT, [subject, at(now), at(since)]);
  return attempts ?? { failures: 1, blockedUntil: null };
}

export async function blockUntil(tx: Tx, subject: Uint8Array, until: Instant): Promise<void> {
  await tx.rows(BLOCK, [subject, at(until)]);
}

/** Before a refused attempt goes on record; false when one did since that time. */
export async function markRecorded(
  tx: Tx,
  subject: Uint8Array,
  now: Instant,
  since: Instant,
): Promise<boolean> {
  return (await tx.rows(MARK_RECORDED, [subject, at(now), at(since)])).length === 1;
}

/** The last attempt was no failure; those before it still count. */
export async function forgiveAttempt(tx: Tx, subject: Uint8Array): Promise<void> {
  await tx.rows(FORGIVE, [subject]);
}

export async function deleteAttempts(tx: Tx, subject: Uint8Array): Promise<void> {
  await tx.rows(DELETE, [subject]);
}

export async function deleteOldAttempts(tx: Tx, before: Instant): Promise<void> {
  await tx.rows(DELETE_OLD, [at(before)]);
}
