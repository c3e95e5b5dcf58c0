export { type BinaryFolders, findBinaryProblem } from "./binaries.ts";
export { hasCluster } from "./cluster.ts";
export { EmbeddedPostgresError, FolderInUse } from "./errors.ts";
export { openEmbeddedPostgres } from "./open.ts";
export { runsUnderSharedUid } from "./shared-uid.ts";
