import type { Instant } from "../../../kernel/time.ts";
import { onlyRow, sql, type Tx } from "../../db/database.ts";

const COUNT_KEYS = sql(
  "vault_count_keys",
  `select count(*) filter (where outgoing_at is null) as active,
     count(*) filter (where outgoing_at is not null and destroyed_at is null) as outgoing,
     count(*) filter (where destroyed_at is not null) as destroyed,
     count(*) filter (where master_id <> case purpose when 'text' then $2 else $1 end and destroyed_at is null)
       as "byOtherMasters",
     min(created_at) filter (where outgoing_at is null and purpose = 'data') as "oldestAt"
   from vault_keys`,
);
const COUNT_SECRETS = sql("vault_count_secrets", "select count(*) from vault_secrets", {
  fanOut: "the operator sees the vault of all merchants",
});

export type KeyCounts = {
  readonly active: number;
  /** To be replaced by a rotation that has begun. */
  readonly outgoing: number;
  readonly destroyed: number;
  readonly byOtherMasters: number;
  /** When the oldest key that encrypts now was made. */
  readonly oldestAt: Instant | null;
};

export async function countKeys(tx: Tx, masterId: string, textMasterId: string): Promise<KeyCounts> {
  return onlyRow(await tx.rows<KeyCounts>(COUNT_KEYS, [masterId, textMasterId]));
}

export async function countSecrets(tx: Tx): Promise<number> {
  return onlyRow(await tx.rows<{ readonly count: number }>(COUNT_SECRETS, [])).count;
}
