import type { Instant } from "../../../kernel/time.ts";
import { at, sql, type Tx } from "../../../platform/db/database.ts";

export type Tries = { readonly failures: number; readonly blockedUntil: Instant | null };

// A try counts as failed before it is judged, so that many at once can't all be the first.
const COUNT = sql(
  "user_tries_count",
  `insert into dashboard_tries as t (subject, failures, last_at) values ($1, 1, $2)
   on conflict (subject) do update set
     failures = case when t.last_at < $3 then 1 when t.blocked_until > $2 then t.failures else t.failures + 1 end,
     last_at = case when t.blocked_until > $2 then t.last_at else $2 end
   returning failures, blocked_until as "blockedUntil"`,
);
const BLOCK = sql("user_tries_block", "update dashboard_tries set blocked_until = $2 where subject = $1");
const FORGIVE = sql(
  "user_tries_forgive",
  "update dashboard_tries set failures = greatest(failures - 1, 0), blocked_until = null where subject = $1",
);
const FORGET = sql("user_tries_forget", "delete from dashboard_tries where subject = $1");
const DELETE_OLD = sql("user_tries_delete_old", "delete from dashboard_tries where last_at < $1");
const DELETE_SESSIONS = sql(
  "user_session_delete_old",
  "delete from dashboard_sessions where seen_at < $1 or created_at < $2",
);
const DELETE_LINKS = sql("user_link_delete_old", "delete from dashboard_links where expires_at < $1");

/** One more try; those from before `since` count no more. */
export async function countTry(tx: Tx, subject: Uint8Array, now: Instant, since: Instant): Promise<Tries> {
  const [tries] = await tx.rows<Tries>(COUNT, [subject, at(now), at(since)]);
  return tries ?? { failures: 1, blockedUntil: null };
}

export async function blockTries(tx: Tx, subject: Uint8Array, until: Instant): Promise<void> {
  await tx.rows(BLOCK, [subject, at(until)]);
}

/** This try was no failure after all; those before it still count. */
export async function forgiveTry(tx: Tx, subject: Uint8Array): Promise<void> {
  await tx.rows(FORGIVE, [subject]);
}

export async function forgetTries(tx: Tx, subject: Uint8Array): Promise<void> {
  await tx.rows(FORGET, [subject]);
}

export async function deleteOldTries(tx: Tx, before: Instant): Promise<void> {
  await tx.rows(DELETE_OLD, [at(before)]);
}

export async function deleteOldSessions(tx: Tx, seenBefore: Instant, begunBefore: Instant): Promise<void> {
  await tx.rows(DELETE_SESSIONS, [at(seenBefore), at(begunBefore)]);
}

export async function deleteOldLinks(tx: Tx, before: Instant): Promise<void> {
  await tx.rows(DELETE_LINKS, [at(before)]);
}
