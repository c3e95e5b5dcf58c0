import { type EmbeddedPostgres, type OpenOptions, openWithBinaries } from "./open.ts";

export type { EmbeddedPostgres } from "./open.ts";
export { EmbeddedPostgresTrouble, FolderInUse } from "./trouble.ts";

/**
 * The default database: a PostgreSQL of our own in the data folder, made on the first start. See
 * docs/decisions/0003-embedded-postgresql.md for who starts, shares, adopts and ends the server.
 */
export function openEmbeddedPostgres(options: OpenOptions): Promise<EmbeddedPostgres> {
  return openWithBinaries({}, options);
}
