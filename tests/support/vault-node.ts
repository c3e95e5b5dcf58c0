import { readSettings } from "../../src/platform/config/settings.ts";
import type { Context } from "../../src/platform/context.ts";
import { openVault } from "../../src/platform/vault/open-vault.ts";
import type { TestDatabase } from "./database.ts";
import { inContext } from "./operator.ts";

/** Runs work on a node with these settings, with the vault opened as at its start. */
export function onVaultNode<Result>(
  database: TestDatabase,
  environment: Readonly<Record<string, string>>,
  work: (ctx: Context) => Promise<Result>,
): Promise<Result> {
  return inContext(
    database,
    async (ctx) => {
      await openVault(ctx.db, ctx.vaultKeys, ctx.now);
      return work(ctx);
    },
    { settings: readSettings(environment) },
  );
}
