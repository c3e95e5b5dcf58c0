import { SettingProblem } from "../platform/config/setting.ts";
import { databaseProblem } from "../platform/db/errors.ts";
import { MigrationError } from "../platform/db/migration-error.ts";
import { EmbeddedPostgresError, FolderInUse } from "../platform/embedded-postgres/index.ts";
import { SecretUnreadable, VaultError } from "../platform/vault/errors.ts";
import { UnfitForLive } from "./live-checks.ts";

/** One line about an error that the operator can fix; undefined for anything else, which is a bug. */
export function operatorMessage(error: unknown): string | undefined {
  const known = [
    SettingProblem,
    MigrationError,
    FolderInUse,
    EmbeddedPostgresError,
    VaultError,
    SecretUnreadable,
    UnfitForLive,
  ];
  if (known.some((kind) => error instanceof kind)) return (error as Error).message;
  const problem = databaseProblem(error);
  return problem === undefined ? undefined : `${problem.says}: ${problem.fix}`;
}
