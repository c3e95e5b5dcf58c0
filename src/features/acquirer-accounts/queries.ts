import type { Id } from "../../kernel/ids.ts";
import type { Instant } from "../../kernel/time.ts";
import { at, sql, type Tx } from "../../platform/db/database.ts";
import type { AcquirerAccount } from "./acquirer-account.ts";

const COLUMNS = `id, merchant_id as "merchantId", connector, currencies, card_types as "cardTypes", status,
  sealed_settings as "sealedSettings", place, created_at as "createdAt", updated_at as "updatedAt"`;

const INSERT = sql(
  "acquirer_account_insert",
  `insert into acquirer_accounts
     (merchant_id, id, connector, sealed_settings, currencies, card_types, status, place, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)`,
);

const LIST = sql(
  "acquirer_account_list",
  `select ${COLUMNS} from acquirer_accounts where merchant_id = $1 order by place, id`,
);

/** Across merchants, for connections of the process. In the order of the index `acquirer_accounts_active`. */
const LIST_ACTIVE_OF = sql(
  "acquirer_account_list_active_of",
  `select ${COLUMNS} from acquirer_accounts where status = 'active' and connector = $1 and id > $2 order by id limit $3`,
);

/** Of all merchants, for the operator: those who may ask for 3D Secure, and whose accounts cannot do it. */
const LIST_WITHOUT_THREE_D_SECURE = sql(
  "acquirer_account_list_without_three_d_secure",
  `select m.id from merchants m where m.mode = 'live' and m.capabilities::text like '%true%'
     and (m.capabilities ->> 'threeDSecure')::boolean and m.three_d_secure_unavailable <> 'proceed'
     and exists (select from acquirer_accounts a where a.merchant_id = m.id and a.status = 'active')
     and not exists (select from acquirer_accounts a where a.merchant_id = m.id and a.status = 'active'
       and a.connector = any($1::text[]))
   order by m.id limit $2`,
);

/** For an operator's command, which names the account alone. */
const FIND = sql("acquirer_account_find", `select ${COLUMNS} from acquirer_accounts where id = $1`);

/** For the checks of a start and of `doctor`, over all live merchants. */
const LIST_LIVE = sql(
  "acquirer_account_list_live",
  `select ${COLUMNS} from acquirer_accounts
   where connector = any ($1) and status = 'active' and id > $2
     and merchant_id in (select id from merchants where mode = 'live')
   order by id limit $3`,
);

const UPDATE = sql(
  "acquirer_account_update",
  "update acquirer_accounts set status = $3, place = $4, updated_at = $5 where merchant_id = $1 and id = $2",
);

/** Apart from the other update, which must not undo a change of the settings or a rotation of their key. */
const UPDATE_SETTINGS = sql(
  "acquirer_account_update_settings",
  "update acquirer_accounts set sealed_settings = $3, updated_at = $4 where merchant_id = $1 and id = $2",
);

export async function insertAccount(tx: Tx, one: AcquirerAccount): Promise<void> {
  const { merchantId, id, connector, sealedSettings, currencies, cardTypes, status, place, createdAt } = one;
  const values = [merchantId, id, connector, sealedSettings, currencies, cardTypes, status, place];
  await tx.rows(INSERT, [...values, at(createdAt)]);
}

/** All accounts of a merchant, in its order. */
export async function listAccounts(tx: Tx, merchantId: Id<"merchant">): Promise<readonly AcquirerAccount[]> {
  return tx.rows<AcquirerAccount>(LIST, [merchantId]);
}

/** Active accounts of live merchants at these connectors, behind an id. */
export async function listLiveAccounts(
  tx: Tx,
  connectors: readonly string[],
  after: string,
  limit: number,
): Promise<readonly AcquirerAccount[]> {
  return tx.rows<AcquirerAccount>(LIST_LIVE, [connectors, after, limit]);
}

/** A page of the active accounts of all merchants with this connector, after the given id. */
export async function listActiveOf(
  tx: Tx,
  connector: string,
  after: string,
  limit: number,
): Promise<readonly AcquirerAccount[]> {
  return tx.rows<AcquirerAccount>(LIST_ACTIVE_OF, [connector, after, limit]);
}

/** Live merchants who may ask for 3D Secure, and whose active accounts all have other connectors than these. */
export async function listWithoutThreeDSecure(
  tx: Tx,
  offering: readonly string[],
  atMost: number,
): Promise<readonly Id<"merchant">[]> {
  const rows = await tx.rows<{ id: Id<"merchant"> }>(LIST_WITHOUT_THREE_D_SECURE, [offering, atMost]);
  return rows.map(({ id }) => id);
}

export async function findAccount(tx: Tx, id: Id<"acquirerAccount">): Promise<AcquirerAccount | undefined> {
  const [row] = await tx.rows<AcquirerAccount>(FIND, [id]);
  return row;
}

export async function updateAccount(tx: Tx, one: AcquirerAccount, now: Instant): Promise<void> {
  await tx.rows(UPDATE, [one.merchantId, one.id, one.status, one.place, at(now)]);
}

export async function updateSettings(tx: Tx, one: AcquirerAccount, now: Instant): Promise<void> {
  await tx.rows(UPDATE_SETTINGS, [one.merchantId, one.id, one.sealedSettings, at(now)]);
}
