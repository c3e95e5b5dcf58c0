import { sql, type Tx } from "../../db/database.ts";
import type { WrappedKey } from "../queries.ts";

const LIST_BY_OTHERS = sql(
  "vault_rotation_list_by_others",
  `select id, merchant_id as "merchantId", purpose, master_id as "masterId", wrapped from vault_keys
   where master_id <> $1 and destroyed_at is null order by id limit $2`,
);
const REWRAP = sql(
  "vault_rotation_rewrap",
  "update vault_keys set master_id = $2, wrapped = $3 where id = $1 and destroyed_at is null",
);

export async function listWrappedByOthers(
  tx: Tx,
  masterId: string,
  atMost: number,
): Promise<readonly WrappedKey[]> {
  return tx.rows<WrappedKey>(LIST_BY_OTHERS, [masterId, atMost]);
}

export async function rewrapKey(tx: Tx, key: WrappedKey & { readonly wrapped: Uint8Array }): Promise<void> {
  await tx.rows(REWRAP, [key.id, key.masterId, key.wrapped]);
}
