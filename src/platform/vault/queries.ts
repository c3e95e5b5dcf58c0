import type { Id } from "../../kernel/ids.ts";
import type { Instant } from "../../kernel/time.ts";
import { at, sql, type Tx } from "../db/database.ts";

/** `transaction_card`: a card number under its transaction's id, while messages to the acquirer may still need it. */
export type Field = "card_number" | "account_number" | "transaction_card";

/** Where a number is kept. */
export type SecretPlace = {
  readonly merchantId: Id<"merchant">;
  /** A payment instrument; a transaction for `transaction_card`. */
  readonly instrumentId: Id<"paymentInstrument"> | Id<"transaction">;
  readonly field: Field;
};

export type KeyPurpose = "data" | "fingerprint" | "audit" | "text" | "counting";

/** A key as it lies in the database. The bytes are gone when it was destroyed. */
export type WrappedKey = {
  readonly id: string;
  readonly merchantId: string | null;
  readonly purpose: KeyPurpose;
  readonly masterId: string;
  readonly wrapped: Uint8Array | null;
};

export type SecretRow = {
  readonly keyId: string;
  readonly nonce: Uint8Array;
  readonly ciphertext: Uint8Array;
};

export type VaultMaster = { readonly masterId: string; readonly checkValue: Uint8Array };

const KEY_COLUMNS = `k.id, k.merchant_id as "merchantId", k.purpose, k.master_id as "masterId", k.wrapped`;

const FIND_MASTER = sql(
  "vault_master_find",
  `select master_id as "masterId", check_value as "checkValue" from vault_master`,
);
// Held while a key is made: a change of the master key leaves no key behind under the old one.
const HOLD_MASTER = sql(
  "vault_master_hold",
  `select master_id as "masterId", check_value as "checkValue" from vault_master for share`,
);
const LOCK_OPENING = sql("vault_lock_opening", "select pg_advisory_xact_lock(7433006)");
const PUT_MASTER = sql(
  "vault_master_put",
  `insert into vault_master (master_id, check_value, changed_at) values ($1, $2, $3)
   on conflict (single) do update set master_id = $1, check_value = $2, changed_at = $3`,
);
const LIST_ACTIVE = sql(
  "vault_key_list_active",
  `select ${KEY_COLUMNS} from vault_keys k where k.merchant_id = $1 and k.retired_at is null`,
);
// A key share lock blocks only the destruction of the key, which then finds everything written under it.
const HOLD_ACTIVE = sql(
  "vault_key_hold_active",
  `select ${KEY_COLUMNS} from vault_keys k
   where k.merchant_id = $1 and k.retired_at is null for key share`,
);
const FIND_AUDIT_KEY = sql(
  "vault_key_find_audit",
  `select ${KEY_COLUMNS} from vault_keys k where k.purpose = 'audit' and k.retired_at is null`,
);
const FIND_COUNTING_KEY = sql(
  "vault_key_find_counting",
  `select ${KEY_COLUMNS} from vault_keys k where k.purpose = 'counting' and k.retired_at is null`,
);
const HOLD_TEXT_KEY = sql(
  "vault_key_hold_text",
  `select ${KEY_COLUMNS} from vault_keys k where k.purpose = 'text' and k.retired_at is null for key share`,
);
const LIST_TEXT_KEYS = sql(
  "vault_key_list_text",
  `select ${KEY_COLUMNS} from vault_keys k where k.purpose = 'text' and k.destroyed_at is null
   order by k.retired_at is not null, k.created_at desc`,
);
const LIST_FINGERPRINT_KEYS = sql(
  "vault_key_list_fingerprint",
  `select ${KEY_COLUMNS} from vault_keys k
   where k.merchant_id = $1 and k.purpose = 'fingerprint' and k.destroyed_at is null`,
);
const INSERT_KEY = sql(
  "vault_key_insert",
  `insert into vault_keys (id, merchant_id, purpose, master_id, wrapped, created_at)
   values ($1, $2, $3, $4, $5, $6) on conflict do nothing returning id`,
);
const PUT_SECRET = sql(
  "vault_secret_put",
  `insert into vault_secrets
     (merchant_id, instrument_id, field, key_id, nonce, ciphertext, fingerprint, fingerprint_key_id, created_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
);
const FIND_SECRET = sql(
  "vault_secret_find",
  `select s.key_id as "keyId", s.nonce, s.ciphertext, ${KEY_COLUMNS}
   from vault_secrets s join vault_keys k on k.id = s.key_id
   where s.merchant_id = $1 and s.instrument_id = $2 and s.field = $3`,
);
const FIND_SAME = sql(
  "vault_secret_find_same",
  `select instrument_id as "instrumentId" from vault_secrets
   where merchant_id = $1 and field = $2
     and fingerprint in (select decode(text, 'hex') from unnest($3::text[]) as prints (text))
   order by instrument_id`,
);
const DELETE_SECRETS = sql(
  "vault_secret_delete",
  "delete from vault_secrets where merchant_id = $1 and instrument_id = $2 returning field",
);

/** They are found once, whatever the planner believes: found again for each row, they would be others than those locked before. */
const eraseOldest = (lock: string) =>
  `with old as materialized (
     select merchant_id, instrument_id from vault_secrets
     where field = 'transaction_card' and created_at < $1 order by created_at limit $2 ${lock})
   delete from vault_secrets s using old
   where s.merchant_id = old.merchant_id and s.instrument_id = old.instrument_id and s.field = 'transaction_card'
   returning s.merchant_id as "merchantId", s.instrument_id as "instrumentId"`;

/** The oldest first; the index holds these rows only. */
const DELETE_TRANSACTION_CARDS = sql(
  "vault_secret_delete_transaction_cards",
  eraseOldest("for update skip locked"),
  {
    fanOut: "erases the oldest numbers of all merchants",
    distributed: eraseOldest(""),
  },
);

export async function findMaster(tx: Tx): Promise<VaultMaster | undefined> {
  return (await tx.rows<VaultMaster>(FIND_MASTER, []))[0];
}

export async function holdMaster(tx: Tx): Promise<VaultMaster | undefined> {
  return (await tx.rows<VaultMaster>(HOLD_MASTER, []))[0];
}

/** Any number of nodes can start at once; one of them opens the vault for the first time. */
export async function lockOpening(tx: Tx): Promise<void> {
  await tx.rows(LOCK_OPENING, []);
}

export async function putMaster(tx: Tx, master: VaultMaster, now: Instant): Promise<void> {
  await tx.rows(PUT_MASTER, [master.masterId, master.checkValue, at(now)]);
}

/** The merchant's active keys. Another process may retire them at any time. */
export async function listActiveKeys(tx: Tx, merchantId: string): Promise<readonly WrappedKey[]> {
  return tx.rows<WrappedKey>(LIST_ACTIVE, [merchantId]);
}

/** The merchant's active keys, held until the transaction ends. */
export async function holdActiveKeys(tx: Tx, merchantId: string): Promise<readonly WrappedKey[]> {
  return tx.rows<WrappedKey>(HOLD_ACTIVE, [merchantId]);
}

export async function findAuditKey(tx: Tx): Promise<WrappedKey | undefined> {
  return (await tx.rows<WrappedKey>(FIND_AUDIT_KEY, []))[0];
}

export async function findCountingKey(tx: Tx): Promise<WrappedKey | undefined> {
  return (await tx.rows<WrappedKey>(FIND_COUNTING_KEY, []))[0];
}

/** The key that seals texts now. It is not destroyed before the transaction ends. */
export async function holdTextKey(tx: Tx): Promise<WrappedKey | undefined> {
  const [key] = await tx.rows<WrappedKey>(HOLD_TEXT_KEY, []);
  return key;
}

/** Keys that texts may be sealed with; the active one first. */
export async function listTextKeys(tx: Tx): Promise<readonly WrappedKey[]> {
  return tx.rows<WrappedKey>(LIST_TEXT_KEYS, []);
}

/** More than one while a rotation is under way. */
export async function listFingerprintKeys(tx: Tx, merchantId: string): Promise<readonly WrappedKey[]> {
  return tx.rows<WrappedKey>(LIST_FINGERPRINT_KEYS, [merchantId]);
}

/** False when there is an active one already. */
export async function insertKey(
  tx: Tx,
  key: WrappedKey & { readonly wrapped: Uint8Array },
  now: Instant,
): Promise<boolean> {
  const { id, merchantId, purpose, masterId, wrapped } = key;
  return (await tx.rows(INSERT_KEY, [id, merchantId, purpose, masterId, wrapped, at(now)])).length === 1;
}

export type NewSecret = SecretRow & { readonly fingerprint: Uint8Array; readonly fingerprintKeyId: string };

export async function insertSecret(
  tx: Tx,
  place: SecretPlace,
  secret: NewSecret,
  now: Instant,
): Promise<void> {
  await tx.rows(PUT_SECRET, [
    ...placeOf(place),
    secret.keyId,
    secret.nonce,
    secret.ciphertext,
    secret.fingerprint,
    secret.fingerprintKeyId,
    at(now),
  ]);
}

/** With its key, in one statement: a key that goes away in the next moment does no harm to this reader. */
export async function findSecret(tx: Tx, place: SecretPlace): Promise<(SecretRow & WrappedKey) | undefined> {
  return (await tx.rows<SecretRow & WrappedKey>(FIND_SECRET, placeOf(place)))[0];
}

export async function findSame(
  tx: Tx,
  merchantId: string,
  field: Field,
  fingerprints: readonly Uint8Array[],
): Promise<readonly Id<"paymentInstrument">[]> {
  const rows = await tx.rows<{ readonly instrumentId: Id<"paymentInstrument"> }>(FIND_SAME, [
    merchantId,
    field,
    fingerprints.map((one) => Buffer.from(one).toString("hex")),
  ]);
  return rows.map(({ instrumentId }) => instrumentId);
}

export async function deleteSecrets(
  tx: Tx,
  { merchantId, instrumentId }: Pick<SecretPlace, "merchantId" | "instrumentId">,
): Promise<readonly Field[]> {
  const rows = await tx.rows<{ readonly field: Field }>(DELETE_SECRETS, [merchantId, instrumentId]);
  return rows.map(({ field }) => field);
}

function placeOf({ merchantId, instrumentId, field }: SecretPlace): readonly string[] {
  return [merchantId, instrumentId, field];
}

/** Erases numbers that were kept for messages about payments before that moment. Returns whose they were. */
export async function deleteTransactionCards(
  tx: Tx,
  before: Instant,
  atMost: number,
): Promise<readonly { readonly merchantId: string; readonly instrumentId: string }[]> {
  return tx.rows(DELETE_TRANSACTION_CARDS, [at(before), atMost]);
}
