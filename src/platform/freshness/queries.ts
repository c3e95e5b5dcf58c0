import { sql, type Tx } from "../db/database.ts";

const MARK = sql(
  "freshness_mark",
  `insert into freshness (subject, version) values ($1, 1)
   on conflict (subject) do update set version = freshness.version + 1`,
);

const VERSIONS = sql("freshness_versions", "select subject, version from freshness");

export async function insertMark(tx: Tx, subject: string): Promise<void> {
  await tx.rows(MARK, [subject]);
}

export async function listVersions(tx: Tx): Promise<ReadonlyMap<string, number>> {
  const rows = await tx.rows<{ subject: string; version: number }>(VERSIONS, []);
  return new Map(rows.map((row) => [row.subject, row.version]));
}
