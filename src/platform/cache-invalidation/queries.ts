import { sql, type Tx } from "../db/database.ts";
import { PRESENCE_NAME } from "../db/presence.ts";

const MARK = sql(
  "cache_mark",
  `insert into cache_versions (subject, version) values ($1, 1)
   on conflict (subject) do update set version = cache_versions.version + 1`,
);

const VERSIONS = sql("cache_versions", "select subject, version from cache_versions");

/** Nodes that deliver webhooks keep a session open under this name, see `db/presence.ts`. */
const COUNT_NODES = sql(
  "cache_count_nodes",
  `select count(*)::integer as nodes from pg_stat_activity
   where datname = current_database() and application_name = '${PRESENCE_NAME}'`,
);

export async function insertMark(tx: Tx, subject: string): Promise<void> {
  await tx.rows(MARK, [subject]);
}

export async function listVersions(tx: Tx): Promise<ReadonlyMap<string, number>> {
  const rows = await tx.rows<{ subject: string; version: number }>(VERSIONS, []);
  return new Map(rows.map((row) => [row.subject, row.version]));
}

export async function countNodes(tx: Tx): Promise<number> {
  const [row] = await tx.rows<{ nodes: number }>(COUNT_NODES, []);
  return row?.nodes ?? 0;
}
