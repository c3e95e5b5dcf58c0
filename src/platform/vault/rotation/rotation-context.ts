import type { Instant } from "../../../kernel/time.ts";
import type { Database } from "../../db/database.ts";
import type { VaultKeys } from "../vault-keys.ts";

/** What a rotation needs of the context. */
export type RotationContext = {
  readonly db: Database;
  readonly vaultKeys: VaultKeys;
  readonly now: () => Instant;
};
