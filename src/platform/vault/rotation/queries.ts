import type { Id } from "../../../kernel/ids.ts";
import type { Instant } from "../../../kernel/time.ts";
import { at, onlyRow, sql, type Tx } from "../../db/database.ts";
import type { Field, SecretRow, WrappedKey } from "../queries.ts";
import type { SealedColumn } from "./sealed-column.ts";

// Two operators who rotate at once share one rotation.
const LOCK_ROTATION = sql("vault_rotation_lock", "select pg_advisory_xact_lock(7433007)");
const COUNT_OUTGOING = sql(
  "vault_rotation_count_outgoing",
  `select count(*) from vault_keys
   where merchant_id is not null and outgoing_at is not null and destroyed_at is null`,
);
const MARK_OUTGOING = sql(
  "vault_rotation_mark_outgoing",
  `update vault_keys set outgoing_at = $1 where merchant_id is not null and retired_at is null returning id`,
);
const LIST_MERCHANTS = sql(
  "vault_rotation_list_merchants",
  `select distinct merchant_id as "merchantId" from vault_keys
   where merchant_id is not null and outgoing_at is not null and destroyed_at is null order by 1`,
);
// Blocks another rotation that retires these keys, but no transaction that writes under them.
const LOCK_UNRETIRED = sql(
  "vault_rotation_lock_unretired",
  `select id from vault_keys where merchant_id = $1 and outgoing_at is not null and retired_at is null
   order by id for no key update`,
);
const RETIRE = sql("vault_rotation_retire", "update vault_keys set retired_at = $2 where id = any($1)");
const COUNT_LEFT = sql(
  "vault_rotation_count_left",
  `select count(*) from vault_secrets where key_id in (
     select id from vault_keys where outgoing_at is not null and destroyed_at is null)`,
  { fanOut: "the operator sees the rotation of all merchants" },
);
const LIST_RETIRED = sql(
  "vault_rotation_list_retired",
  `select id, merchant_id as "merchantId", purpose, master_id as "masterId", wrapped from vault_keys
   where merchant_id = $1 and retired_at is not null and destroyed_at is null order by id`,
);
// Waits for transactions that still write under the keys; no new one can.
const LOCK_RETIRED = sql(
  "vault_rotation_lock_retired",
  `select id, purpose from vault_keys
   where merchant_id = $1 and retired_at is not null and destroyed_at is null order by id for update`,
);
const COUNT_ON = sql("vault_rotation_count_on", "select count(*) from vault_secrets where key_id = any($1)", {
  fanOut: "no number may be left under a key that is destroyed, whatever row has it",
});
const DESTROY = sql(
  "vault_rotation_destroy",
  "update vault_keys set wrapped = null, destroyed_at = $2 where id = any($1)",
);
const RETIRE_TEXT_KEY = sql(
  "vault_rotation_retire_text_key",
  `update vault_keys set outgoing_at = $1, retired_at = $1 where purpose = 'text' and retired_at is null returning id`,
);
const LIST_OUTGOING_TEXT_KEYS = sql(
  "vault_rotation_list_outgoing_text_keys",
  `select id, merchant_id as "merchantId", purpose, master_id as "masterId", wrapped from vault_keys
   where purpose = 'text' and outgoing_at is not null and destroyed_at is null order by id`,
);
const LOCK_OUTGOING_TEXT_KEYS = sql(
  "vault_rotation_lock_outgoing_text_keys",
  `select id from vault_keys
   where purpose = 'text' and outgoing_at is not null and destroyed_at is null order by id for update`,
);
const DESTROY_COUNTING_KEY = sql(
  "vault_rotation_destroy_counting_key",
  `update vault_keys set outgoing_at = $1, retired_at = $1, destroyed_at = $1, wrapped = null
   where purpose = 'counting' and retired_at is null returning id`,
);
const LIST_SECRETS = sql(
  "vault_rotation_list_secrets",
  `select instrument_id as "instrumentId", field, key_id as "keyId", nonce, ciphertext from vault_secrets
   where merchant_id = $1 and (instrument_id, field) > ($2, $3) and key_id = any($4)
   order by instrument_id, field limit $5`,
);
// The nonce shows whether the row is still the one that was read: it may have been erased or moved meanwhile.
const MOVE_SECRETS = sql(
  "vault_rotation_move_secrets",
  `update vault_secrets s
   set key_id = $2, fingerprint_key_id = $3, nonce = decode(v.nonce, 'hex'), ciphertext = decode(v.ciphertext, 'hex'),
     fingerprint = decode(v.fingerprint, 'hex')
   from unnest($4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[])
     as v (instrument_id, field, nonce_before, nonce, ciphertext, fingerprint)
   where s.merchant_id = $1 and s.instrument_id = v.instrument_id and s.field = v.field
     and s.nonce = decode(v.nonce_before, 'hex')
   returning s.instrument_id`,
);

type Count = { readonly count: number };

export async function lockRotation(tx: Tx): Promise<void> {
  await tx.rows(LOCK_ROTATION, []);
}

export async function countOutgoing(tx: Tx): Promise<number> {
  return onlyRow(await tx.rows<Count>(COUNT_OUTGOING, [])).count;
}

export async function markOutgoing(tx: Tx, now: Instant): Promise<number> {
  return (await tx.rows(MARK_OUTGOING, [at(now)])).length;
}

export async function listRotatingMerchants(tx: Tx): Promise<readonly Id<"merchant">[]> {
  const rows = await tx.rows<{ readonly merchantId: Id<"merchant"> }>(LIST_MERCHANTS, []);
  return rows.map(({ merchantId }) => merchantId);
}

export async function lockUnretired(tx: Tx, merchantId: string): Promise<readonly string[]> {
  return (await tx.rows<{ readonly id: string }>(LOCK_UNRETIRED, [merchantId])).map(({ id }) => id);
}

export async function retireKeys(tx: Tx, ids: readonly string[], now: Instant): Promise<void> {
  await tx.rows(RETIRE, [ids, at(now)]);
}

/** Numbers that are under a key which is to go. */
export async function countLeft(tx: Tx): Promise<number> {
  return onlyRow(await tx.rows<Count>(COUNT_LEFT, [])).count;
}

export async function listRetired(tx: Tx, merchantId: string): Promise<readonly WrappedKey[]> {
  return tx.rows<WrappedKey>(LIST_RETIRED, [merchantId]);
}

export async function lockRetired(
  tx: Tx,
  merchantId: string,
): Promise<readonly Pick<WrappedKey, "id" | "purpose">[]> {
  return tx.rows<Pick<WrappedKey, "id" | "purpose">>(LOCK_RETIRED, [merchantId]);
}

export async function countOn(tx: Tx, keyIds: readonly string[]): Promise<number> {
  return onlyRow(await tx.rows<Count>(COUNT_ON, [keyIds])).count;
}

export async function destroyKeys(tx: Tx, ids: readonly string[], now: Instant): Promise<void> {
  await tx.rows(DESTROY, [ids, at(now)]);
}

export type KeptSecret = SecretRow & {
  readonly instrumentId: Id<"paymentInstrument">;
  readonly field: Field;
};

type SecretsRange = {
  readonly keyIds: readonly string[];
  readonly after: Pick<KeptSecret, "instrumentId" | "field"> | undefined;
  readonly atMost: number;
};

export async function listSecrets(
  tx: Tx,
  merchantId: string,
  { keyIds, after, atMost }: SecretsRange,
): Promise<readonly KeptSecret[]> {
  return tx.rows<KeptSecret>(LIST_SECRETS, [
    merchantId,
    after?.instrumentId ?? "",
    after?.field ?? "",
    keyIds,
    atMost,
  ]);
}

export type MovedSecret = Pick<KeptSecret, "instrumentId" | "field" | "nonce" | "ciphertext"> & {
  readonly nonceBefore: Uint8Array;
  readonly fingerprint: Uint8Array;
};

/** Returns how many were moved: those that did not change meanwhile. */
export async function moveSecrets(
  tx: Tx,
  merchantId: string,
  to: { readonly dataKeyId: string; readonly fingerprintKeyId: string },
  secrets: readonly MovedSecret[],
): Promise<number> {
  const rows = await tx.rows(MOVE_SECRETS, [
    merchantId,
    to.dataKeyId,
    to.fingerprintKeyId,
    secrets.map(({ instrumentId }) => instrumentId),
    secrets.map(({ field }) => field),
    secrets.map(({ nonceBefore }) => hex(nonceBefore)),
    secrets.map(({ nonce }) => hex(nonce)),
    secrets.map(({ ciphertext }) => hex(ciphertext)),
    secrets.map(({ fingerprint }) => hex(fingerprint)),
  ]);
  return rows.length;
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}

/** The key that seals texts seals none from now on. Undefined when there is none yet. */
export async function retireTextKey(tx: Tx, now: Instant): Promise<string | undefined> {
  const [row] = await tx.rows<{ readonly id: string }>(RETIRE_TEXT_KEY, [at(now)]);
  return row?.id;
}

export async function listOutgoingTextKeys(tx: Tx): Promise<readonly WrappedKey[]> {
  return tx.rows<WrappedKey>(LIST_OUTGOING_TEXT_KEYS, []);
}

/** Waits for transactions that still seal under these keys; no new one can. */
export async function lockOutgoingTextKeys(tx: Tx): Promise<readonly string[]> {
  return (await tx.rows<{ readonly id: string }>(LOCK_OUTGOING_TEXT_KEYS, [])).map(({ id }) => id);
}

/** Undefined when there is none yet. */
export async function destroyCountingKey(tx: Tx, now: Instant): Promise<string | undefined> {
  const [row] = await tx.rows<{ readonly id: string }>(DESTROY_COUNTING_KEY, [at(now)]);
  return row?.id;
}

export type KeptText = { readonly id: string; readonly sealed: string };

type TextsRange = { readonly keyIds: readonly string[]; readonly after: string; readonly atMost: number };

export async function listTextsOn(
  tx: Tx,
  { table, column, id }: SealedColumn,
  { keyIds, after, atMost }: TextsRange,
): Promise<readonly KeptText[]> {
  const list = sql(
    `vault_rotation_list_${table}_${column}`,
    `select ${id}::text as id, ${column} as sealed from ${table}
     where split_part(${column}, '.', 1) = any($1) and ${id}::text collate "C" > $2
     order by ${id}::text collate "C" limit $3 for update`,
  );
  return tx.rows<KeptText>(list, [keyIds, after, atMost]);
}

export async function moveText(
  tx: Tx,
  { table, column, id }: SealedColumn,
  row: string,
  sealed: string,
): Promise<void> {
  const move = sql(
    `vault_rotation_move_${table}_${column}`,
    `update ${table} set ${column} = $2 where ${id}::text = $1`,
  );
  await tx.rows(move, [row, sealed]);
}

export async function countTextsOn(
  tx: Tx,
  { table, column }: SealedColumn,
  keyIds: readonly string[],
): Promise<number> {
  const counting = sql(
    `vault_rotation_count_${table}_${column}`,
    `select count(*) from ${table} where split_part(${column}, '.', 1) = any($1)`,
  );
  return onlyRow(await tx.rows<Count>(counting, [keyIds])).count;
}
