import { randomBytes } from "node:crypto";
import type { Instant } from "../../kernel/time.ts";
import type { Database } from "../db/database.ts";
import { KeyServiceProblem, VaultError } from "./errors.ts";
import { findMaster, listTextKeys, lockOpening, putMaster } from "./queries.ts";
import type { VaultKeys } from "./vault-keys.ts";

export const CHECK_CONTEXT = "tidegate check";

/**
 * At every start: the master key is at hand and is the one that this database was opened with before. The first start
 * makes what is missing.
 */
export async function openVault(db: Database, keys: VaultKeys, now: () => Instant): Promise<void> {
  const { source, wrapper } = keys;
  if (keys.holdsNone) return checkTextKey(db, keys);
  if (source.isGenerated && !(await source.isThere())) {
    if ((await findMaster(db)) !== undefined) {
      throw new VaultError(
        `the vault's key file ${source.name} is gone, and no stored number can be read without it: put it back from your backup, or give the key by TIDEGATE_VAULT_KEY`,
      );
    }
    await source.make();
  }
  const masterIds = await wrapper.masterIds();
  await db.transaction(async (tx) => {
    await lockOpening(tx);
    const master = await findMaster(tx);
    if (master === undefined) {
      const masterId = masterIds[0] ?? "";
      const checkValue = await wrapper.wrap(masterId, randomBytes(32), CHECK_CONTEXT);
      await putMaster(tx, { masterId, checkValue }, now());
      await keys.make(tx, null, "audit");
      return;
    }
    if ((await wrapper.unwrap(master.masterId, master.checkValue, CHECK_CONTEXT)) !== undefined) return;
    throw new VaultError(
      `this node's vault key (${masterIds.join(", ")}, from ${source.name}) is not the one of this database (${master.masterId}): give every node the same TIDEGATE_VAULT_KEY or TIDEGATE_VAULT_KEY_FILE; docs/guides/vault.md says how to change it`,
    );
  });
  if (keys.textWrapper !== undefined) await checkTextKey(db, keys);
}

/** The key of texts opens with what this node was given. */
async function checkTextKey(db: Database, keys: VaultKeys): Promise<void> {
  const [master, [active]] = [await findMaster(db), await listTextKeys(db)];
  if (master === undefined)
    throw new VaultError(
      "the vault of this database was never opened: start a node that holds its key first",
    );
  if (active === undefined) return;
  await keys.unwrap(active).catch((error: unknown) => {
    if (error instanceof KeyServiceProblem) throw error;
    throw new VaultError(
      `this node's key of texts does not open what ${active.masterId} wraps: give every node the same TIDEGATE_TEXT_KEY, and run \`tidegate vault rotate --master\` on a node that holds the vault key`,
    );
  });
}
