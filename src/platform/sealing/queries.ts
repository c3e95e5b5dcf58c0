import type { Instant } from "../../kernel/time.ts";
import { at, sql, type Tx } from "../db/database.ts";

export type SealingKey = { readonly id: string; readonly sealedKey: string; readonly createdAt: Instant };

const COLUMNS = `id, sealed_key as "sealedKey", created_at as "createdAt"`;
const FIND = sql("sealing_key_find", `select ${COLUMNS} from sealing_keys where id = $1`);
const NEWEST = sql(
  "sealing_key_newest",
  `select ${COLUMNS} from sealing_keys where created_at <= $1 order by created_at desc limit 1`,
);
const INSERT = sql(
  "sealing_key_insert",
  "insert into sealing_keys (id, sealed_key, created_at) values ($1, $2, $3)",
);
const DELETE = sql("sealing_key_delete", "delete from sealing_keys where created_at < $1");

export async function findSealingKey(tx: Tx, id: string): Promise<SealingKey | undefined> {
  const [key] = await tx.rows<SealingKey>(FIND, [id]);
  return key;
}

/** The newest at that moment: another merchant's clock may be ahead and have made one that is younger still. */
export async function newestSealingKey(tx: Tx, now: Instant): Promise<SealingKey | undefined> {
  const [key] = await tx.rows<SealingKey>(NEWEST, [at(now)]);
  return key;
}

export async function insertSealingKey(tx: Tx, key: SealingKey): Promise<void> {
  await tx.rows(INSERT, [key.id, key.sealedKey, at(key.createdAt)]);
}

export async function deleteSealingKeysBefore(tx: Tx, moment: Instant): Promise<void> {
  await tx.rows(DELETE, [at(moment)]);
}
