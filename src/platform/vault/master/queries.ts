import { sql, type Tx } from "../../db/database.ts";
import type { WrappedKey } from "../queries.ts";

const LIST_BY_OTHERS = sql(
  "vault_rotation_list_by_others",
  `select id, merchant_id as "merchantId", purpose, master_id as "masterId", wrapped from vault_keys
   where master_id <> case purpose when 'text' then $2 else $1 end and destroyed_at is null order by id limit $3`,
);
const LIST_AFTER = sql(
  "vault_rotation_list_after",
  `select id, merchant_id as "merchantId", purpose, master_id as "masterId", wrapped from vault_keys
   where id > $1 and destroyed_at is null order by id limit $2`,
);
const REWRAP = sql(
  "vault_rotation_rewrap",
  "update vault_keys set master_id = $2, wrapped = $3 where id = $1 and destroyed_at is null",
);
// A change of the master key at the same time wins: what it wrote is not undone.
const RENEW = sql(
  "vault_rotation_renew",
  "update vault_keys set wrapped = $3 where id = $1 and wrapped = $2 and destroyed_at is null returning id",
);

/** The master keys that everything is to be under. */
export type Targets = { readonly vault: string; readonly texts: string };

export async function listWrappedByOthers(
  tx: Tx,
  { vault, texts }: Targets,
  atMost: number,
): Promise<readonly WrappedKey[]> {
  return tx.rows<WrappedKey>(LIST_BY_OTHERS, [vault, texts, atMost]);
}

/** All keys, in portions. */
export async function listKeysAfter(tx: Tx, id: string, atMost: number): Promise<readonly WrappedKey[]> {
  return tx.rows<WrappedKey>(LIST_AFTER, [id, atMost]);
}

/** False when the key is not wrapped as it was any more. */
export async function renewKey(tx: Tx, id: string, from: Uint8Array, to: Uint8Array): Promise<boolean> {
  return (await tx.rows(RENEW, [id, from, to])).length === 1;
}

export async function rewrapKey(tx: Tx, key: WrappedKey & { readonly wrapped: Uint8Array }): Promise<void> {
  await tx.rows(REWRAP, [key.id, key.masterId, key.wrapped]);
}
