import type { Instant } from "../../../kernel/time.ts";
import { countEntries } from "../../audit/queries.ts";
import type { Database } from "../../db/database.ts";
import { VaultError } from "../errors.ts";
import { CHECK_CONTEXT } from "../open-vault.ts";
import { findMaster } from "../queries.ts";
import { countLeft } from "../rotation/queries.ts";
import type { VaultKeys } from "../vault-keys.ts";
import { countKeys, countSecrets, type KeyCounts } from "./queries.ts";

export type VaultStatus = {
  readonly masterKey: {
    readonly id: string;
    /** Where this command found it. */
    readonly source: string;
    readonly generated: boolean;
    /** This command has it at hand. */
    readonly fits: boolean;
    /** False on a node whose roles need no number. */
    readonly needed: boolean;
  };
  readonly keys: Omit<KeyCounts, "oldestAt">;
  readonly oldestKeyAt: Instant | null;
  /** `left` are under keys which a rotation is to replace. */
  readonly numbers: { readonly kept: number; readonly left: number };
  readonly audit: { readonly sealed: number; readonly unsealed: number };
};

export async function vaultStatus(
  db: Database,
  { source, wrapper, textWrapper, holdsNone }: VaultKeys,
): Promise<VaultStatus> {
  const master = await findMaster(db);
  if (master === undefined)
    throw new VaultError("the vault of this database was never opened: start the gateway once");
  const check = await wrapper
    .unwrap(master.masterId, master.checkValue, CHECK_CONTEXT)
    .catch(() => undefined);
  const [textMasterId = master.masterId] = (await textWrapper?.masterIds().catch(() => [])) ?? [];
  const { oldestAt, ...keys } = await countKeys(db, master.masterId, textMasterId);
  return {
    masterKey: {
      id: master.masterId,
      source: holdsNone ? "none: the roles of this node need no vault key" : source.name,
      generated: source.isGenerated && !holdsNone,
      fits: check !== undefined,
      needed: !holdsNone,
    },
    keys,
    oldestKeyAt: oldestAt,
    numbers: { kept: await countSecrets(db), left: await countLeft(db) },
    audit: await countEntries(db),
  };
}
