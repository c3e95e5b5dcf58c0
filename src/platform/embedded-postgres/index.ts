export { EmbeddedPostgresError, FolderInUse } from "./errors.ts";
export { openEmbeddedPostgres } from "./open.ts";
