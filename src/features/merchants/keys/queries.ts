import type { Id } from "../../../kernel/ids.ts";
import type { Instant } from "../../../kernel/time.ts";
import { at, sql, type Tx } from "../../../platform/db/database.ts";
import type { Merchant } from "../merchant.ts";
import { MERCHANT_COLUMNS, type MerchantRow, merchantOfRow } from "../queries.ts";
import type { ApiKey, KeyLimits, KeyScope } from "./api-key.ts";

const INSERT_KEY = sql(
  "api_key_insert",
  `insert into api_keys (id, merchant_id, hash, hint, scopes, from_environment, created_at, expires_at, addresses)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
);

const FIND_CALLER = sql(
  "api_key_find_caller",
  `select k.id as "keyId", k.hash, k.scopes, k.expires_at as "expiresAt", k.addresses,
     ${MERCHANT_COLUMNS}
   from api_keys k join merchants m on m.id = k.merchant_id
   where k.hash = $1 and k.revoked_at is null`,
);

const KEY_COLUMNS = `id, merchant_id as "merchantId", hint, scopes, created_at as "createdAt", revoked_at as "revokedAt",
  expires_at as "expiresAt", addresses, last_used_at as "lastUsedAt"`;
const LIST_KEYS = sql(
  "api_key_list",
  `select ${KEY_COLUMNS} from api_keys where merchant_id = $1 order by id`,
);

const REVOKE_KEY = sql(
  "api_key_revoke",
  `update api_keys set revoked_at = coalesce(revoked_at, $2) where id = $1 returning ${KEY_COLUMNS}`,
);

const REVOKE_ENVIRONMENT_KEYS = sql(
  "api_key_revoke_environment",
  `update api_keys set revoked_at = $3
   where merchant_id = $1 and from_environment and revoked_at is null and hash <> $2`,
);

const FIND_KEY = sql("api_key_find", "select id from api_keys where hash = $1");

const MARK_ENVIRONMENT_KEY = sql(
  "api_key_mark_environment",
  `update api_keys set revoked_at = null, expires_at = null, addresses = '{}', scopes = $3, from_environment = true
   where merchant_id = $1 and hash = $2 returning id`,
);

// Nodes that write the same keys at once wait for no lock: one of them writes the minute.
const UPDATE_LAST_USES = sql(
  "api_key_update_last_uses",
  `with used as (
     select k.id, v.at from unnest($1::text[], $2::timestamptz[]) as v (id, at) join api_keys k on k.id = v.id
     where k.last_used_at is null or k.last_used_at < v.at
     order by k.id for no key update of k skip locked)
   update api_keys k set last_used_at = used.at from used where k.id = used.id`,
  {
    distributed: `update api_keys k set last_used_at = v.at from unnest($1::text[], $2::timestamptz[]) as v (id, at)
      where k.id = v.id and (k.last_used_at is null or k.last_used_at < v.at)`,
  },
);

export async function insertKey(
  tx: Tx,
  key: ApiKey,
  hash: Uint8Array,
  isFromEnvironment: boolean,
): Promise<void> {
  const { id, merchantId, hint, scopes, createdAt, expiresAt, addresses } = key;
  await tx.rows(INSERT_KEY, [
    id,
    merchantId,
    hash,
    hint,
    scopes,
    isFromEnvironment,
    at(createdAt),
    expiresAt === null ? null : at(expiresAt),
    addresses,
  ]);
}

/** Keeps the later of the stored and the given minute. */
export async function updateLastUses(tx: Tx, uses: readonly (readonly [string, Instant])[]): Promise<void> {
  await tx.rows(UPDATE_LAST_USES, [uses.map(([keyId]) => keyId), uses.map(([, minute]) => at(minute))]);
}

export type CallerRow = KeyLimits & {
  readonly keyId: string;
  readonly hash: Uint8Array;
  readonly scopes: readonly KeyScope[];
};

/** The merchant with the unrevoked key of that hash. */
export async function findCaller(
  tx: Tx,
  hash: Uint8Array,
): Promise<(CallerRow & { merchant: Merchant }) | undefined> {
  const [row] = await tx.rows<CallerRow & MerchantRow>(FIND_CALLER, [hash]);
  if (row === undefined) return undefined;
  const { keyId, hash: stored, scopes, expiresAt, addresses, ...merchant } = row;
  return { keyId, hash: stored, scopes, expiresAt, addresses, merchant: merchantOfRow(merchant) };
}

export async function listKeys(tx: Tx, merchantId: Id<"merchant">): Promise<readonly ApiKey[]> {
  return tx.rows<ApiKey>(LIST_KEYS, [merchantId]);
}

export async function revokeKeyById(tx: Tx, id: Id<"apiKey">, moment: Instant): Promise<ApiKey | undefined> {
  const [key] = await tx.rows<ApiKey>(REVOKE_KEY, [id, at(moment)]);
  return key;
}

/** Revokes all keys from the environment of earlier starts, except the one with that hash. */
export async function revokeEnvironmentKeys(
  tx: Tx,
  merchantId: Id<"merchant">,
  hash: Uint8Array,
  moment: Instant,
) {
  await tx.rows(REVOKE_ENVIRONMENT_KEYS, [merchantId, hash, at(moment)]);
}

/** Marks an existing key of the merchant, revoked or not, as the one from the environment; false if there is none. */
export async function markEnvironmentKey(
  tx: Tx,
  merchantId: Id<"merchant">,
  hash: Uint8Array,
  scopes: readonly KeyScope[],
): Promise<boolean> {
  return (await tx.rows(MARK_ENVIRONMENT_KEY, [merchantId, hash, scopes])).length === 1;
}

/** Whether any merchant has or had the key with that hash. */
export async function isKeyTaken(tx: Tx, hash: Uint8Array): Promise<boolean> {
  return (await tx.rows(FIND_KEY, [hash])).length > 0;
}
