import type { Id } from "../../kernel/ids.ts";
import { at, sql, type Tx } from "../../platform/db/database.ts";
import { listRows } from "../../platform/db/list-rows.ts";
import type { Page } from "../../platform/http/lists.ts";
import type { Credentials, SigningKey, Webhook } from "./webhook.ts";

const COLUMNS = `id, merchant_id as "merchantId", event, url, status, failing_since as "failingSince",
  created_at as "createdAt", updated_at as "updatedAt"`;

const OF_MANY =
  "the deliverer serves many merchants at once, and reads what it needs of all in one round trip";

const INSERT = sql(
  "webhook_insert",
  `insert into webhooks (merchant_id, id, event, url, status, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $6) on conflict (merchant_id, event) do nothing returning true as made`,
);
const FIND = sql("webhook_find", `select ${COLUMNS} from webhooks where merchant_id = $1 and id = $2`);
const LOCK = sql(
  "webhook_lock",
  `select ${COLUMNS} from webhooks where merchant_id = $1 and id = $2 for update`,
);
const OF_MERCHANTS = sql(
  "webhook_of_merchants",
  `select ${COLUMNS} from webhooks where merchant_id = any ($1::text[])`,
  { fanOut: OF_MANY },
);
const UPDATE = sql(
  "webhook_update",
  `update webhooks set url = $3, status = $4, failing_since = $5, updated_at = $6 where merchant_id = $1 and id = $2`,
);
const DELETE = sql(
  "webhook_delete",
  "delete from webhooks where merchant_id = $1 and id = $2 returning true as gone",
);

const KEY_COLUMNS = `merchant_id as "merchantId", sealed_key as "sealedKey", created_at as "createdAt",
  sealed_previous as "sealedPrevious", previous_until as "previousUntil"`;
const KEYS_OF = sql(
  "webhook_key_of_merchants",
  `select ${KEY_COLUMNS} from webhook_signing_keys where merchant_id = any ($1::text[])`,
  { fanOut: OF_MANY },
);
const LOCK_KEY = sql(
  "webhook_key_lock",
  `select ${KEY_COLUMNS} from webhook_signing_keys where merchant_id = $1 for update`,
);
const INSERT_KEY = sql(
  "webhook_key_insert",
  `insert into webhook_signing_keys (merchant_id, sealed_key, created_at) values ($1, $2, $3) on conflict do nothing`,
);
const UPDATE_KEY = sql(
  "webhook_key_update",
  `update webhook_signing_keys set sealed_key = $2, created_at = $3, sealed_previous = $4, previous_until = $5
   where merchant_id = $1`,
);

const CREDENTIAL_COLUMNS = `merchant_id as "merchantId", username, sealed_password as "sealedPassword", header`;
const CREDENTIALS_OF = sql(
  "webhook_credentials_of_merchants",
  `select ${CREDENTIAL_COLUMNS} from webhook_credentials where merchant_id = any ($1::text[])`,
  { fanOut: OF_MANY },
);
const LOCK_CREDENTIALS = sql(
  "webhook_credentials_lock",
  `select ${CREDENTIAL_COLUMNS} from webhook_credentials where merchant_id = $1 for update`,
);
const PUT_CREDENTIALS = sql(
  "webhook_credentials_put",
  `insert into webhook_credentials (merchant_id, username, sealed_password, header) values ($1, $2, $3, $4)
   on conflict (merchant_id) do update set username = $2, sealed_password = $3, header = $4`,
);

/** False if the merchant already has a subscription for that event value. */
export async function insertWebhook(tx: Tx, webhook: Webhook): Promise<boolean> {
  const { merchantId, id, event, url, status, createdAt } = webhook;
  return (await tx.rows(INSERT, [merchantId, id, event, url, status, at(createdAt)])).length === 1;
}

export async function findWebhook(
  tx: Tx,
  merchantId: Id<"merchant">,
  id: Id<"webhook">,
): Promise<Webhook | undefined> {
  const [webhook] = await tx.rows<Webhook>(FIND, [merchantId, id]);
  return webhook;
}

export async function lockWebhook(
  tx: Tx,
  merchantId: Id<"merchant">,
  id: Id<"webhook">,
): Promise<Webhook | undefined> {
  const [webhook] = await tx.rows<Webhook>(LOCK, [merchantId, id]);
  return webhook;
}

export async function listWebhooks(
  tx: Tx,
  merchantId: Id<"merchant">,
  page: Page,
): Promise<readonly Webhook[]> {
  return listRows<Webhook>(tx, { name: "webhook", table: "webhooks", columns: COLUMNS }, merchantId, {
    page,
  });
}

/** All subscriptions of several merchants: each has at most one per event value and one for all. */
export async function webhooksOf(tx: Tx, merchantIds: readonly string[]): Promise<readonly Webhook[]> {
  return tx.rows<Webhook>(OF_MERCHANTS, [merchantIds]);
}

export async function updateWebhook(tx: Tx, webhook: Webhook): Promise<void> {
  const { merchantId, id, url, status, failingSince, updatedAt } = webhook;
  const since = failingSince === null ? null : at(failingSince);
  await tx.rows(UPDATE, [merchantId, id, url, status, since, at(updatedAt)]);
}

export async function deleteWebhookRow(
  tx: Tx,
  merchantId: Id<"merchant">,
  id: Id<"webhook">,
): Promise<boolean> {
  return (await tx.rows(DELETE, [merchantId, id])).length === 1;
}

export async function signingKeysOf(tx: Tx, merchantIds: readonly string[]): Promise<readonly SigningKey[]> {
  return tx.rows<SigningKey>(KEYS_OF, [merchantIds]);
}

export async function lockSigningKey(tx: Tx, merchantId: Id<"merchant">): Promise<SigningKey | undefined> {
  const [key] = await tx.rows<SigningKey>(LOCK_KEY, [merchantId]);
  return key;
}

/** Does nothing if the merchant has one. */
export async function insertSigningKey(tx: Tx, key: SigningKey): Promise<void> {
  await tx.rows(INSERT_KEY, [key.merchantId, key.sealedKey, at(key.createdAt)]);
}

export async function updateSigningKey(tx: Tx, key: SigningKey): Promise<void> {
  const until = key.previousUntil === null ? null : at(key.previousUntil);
  await tx.rows(UPDATE_KEY, [key.merchantId, key.sealedKey, at(key.createdAt), key.sealedPrevious, until]);
}

export async function credentialsOf(tx: Tx, merchantIds: readonly string[]): Promise<readonly Credentials[]> {
  return tx.rows<Credentials>(CREDENTIALS_OF, [merchantIds]);
}

export async function lockCredentials(tx: Tx, merchantId: Id<"merchant">): Promise<Credentials | undefined> {
  const [credentials] = await tx.rows<Credentials>(LOCK_CREDENTIALS, [merchantId]);
  return credentials;
}

export async function putCredentials(tx: Tx, credentials: Credentials): Promise<void> {
  const { merchantId, username, sealedPassword, header } = credentials;
  await tx.rows(PUT_CREDENTIALS, [merchantId, username, sealedPassword, header]);
}
