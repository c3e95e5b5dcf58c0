import { sql, type Tx } from "../db/database.ts";
import { PRESENCE_NAME } from "../db/presence.ts";

const MARK = sql(
  "cache_mark",
  `insert into cache_versions (subject, version) values ($1, 1)
   on conflict (subject) do update set version = cache_versions.version + 1`,
);

const VERSIONS = sql("cache_versions", "select subject, version from cache_versions");

/** A node writes its row far more often than this, and deletes it when it stops. */
const COUNT_NODES = sql(
  "cache_count_nodes",
  `select greatest(
     (select count(*) from nodes where seen_at > now() - make_interval(secs => $1)),
     -- Nodes of versions before migration 68 have no row; those that deliver webhooks have a session.
     (select count(*) from pg_stat_activity
      where datname = current_database() and application_name = '${PRESENCE_NAME}'))::integer as nodes`,
);
/** Rows of nodes that were killed are deleted after an hour. */
const BEAT = sql(
  "cache_node_beat",
  `with gone as (delete from nodes where seen_at < now() - interval '1 hour' and name <> $1)
   insert into nodes (name, seen_at) values ($1, now()) on conflict (name) do update set seen_at = now()`,
);
const LEAVE = sql("cache_node_leave", "delete from nodes where name = $1");

export async function insertMark(tx: Tx, subject: string): Promise<void> {
  await tx.rows(MARK, [subject]);
}

export async function listVersions(tx: Tx): Promise<ReadonlyMap<string, number>> {
  const rows = await tx.rows<{ subject: string; version: number }>(VERSIONS, []);
  return new Map(rows.map((row) => [row.subject, row.version]));
}

/** Nodes that were seen within so many seconds. */
export async function countNodes(tx: Tx, withinSeconds: number): Promise<number> {
  const [row] = await tx.rows<{ nodes: number }>(COUNT_NODES, [withinSeconds]);
  return row?.nodes ?? 0;
}

export async function writeHeartbeat(tx: Tx, node: string): Promise<void> {
  await tx.rows(BEAT, [node]);
}

export async function leave(tx: Tx, node: string): Promise<void> {
  await tx.rows(LEAVE, [node]);
}
