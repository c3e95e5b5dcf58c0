import type { Id } from "../../../kernel/ids.ts";
import type { Instant } from "../../../kernel/time.ts";
import { at, sql, type Tx } from "../../../platform/db/database.ts";

const INSERT_LINK = sql(
  "user_link_insert",
  "insert into dashboard_links (hash, user_id, expires_at) values ($1, $2, $3)",
);
const FIND_LINK = sql(
  "user_link_find",
  `select user_id as "userId" from dashboard_links where hash = $1 and expires_at > $2`,
);
const TAKE_LINK = sql(
  "user_link_take",
  `delete from dashboard_links where hash = $1 and expires_at > $2 returning user_id as "userId"`,
);
const DELETE_LINKS = sql(
  "user_link_delete",
  "delete from dashboard_links where user_id is not distinct from $1",
);
const DELETE_OLD = sql("user_link_delete_old", "delete from dashboard_links where expires_at < $1");

export async function insertLink(
  tx: Tx,
  hash: Uint8Array,
  userId: Id<"user"> | null,
  expiresAt: Instant,
): Promise<void> {
  await tx.rows(INSERT_LINK, [hash, userId, at(expiresAt)]);
}

export type LinkRow = { readonly userId: Id<"user"> | null };

export async function findLink(tx: Tx, hash: Uint8Array, now: Instant): Promise<LinkRow | undefined> {
  return (await tx.rows<LinkRow>(FIND_LINK, [hash, at(now)]))[0];
}

/** Uses the link up: of two parallel callers one gets it. */
export async function takeLink(tx: Tx, hash: Uint8Array, now: Instant): Promise<LinkRow | undefined> {
  return (await tx.rows<LinkRow>(TAKE_LINK, [hash, at(now)]))[0];
}

/** Links of a user; with null those that create an operator. */
export async function deleteLinks(tx: Tx, userId: Id<"user"> | null): Promise<void> {
  await tx.rows(DELETE_LINKS, [userId]);
}

export async function deleteOldLinks(tx: Tx, before: Instant): Promise<void> {
  await tx.rows(DELETE_OLD, [at(before)]);
}
