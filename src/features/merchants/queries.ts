import type { Id } from "../../kernel/ids.ts";
import { at, sql, type Tx } from "../../platform/db/database.ts";
import { jsonValue } from "../../platform/db/json-value.ts";
import type { ClockColumn } from "../../platform/jobs/queries.ts";
import type { Merchant } from "./merchant.ts";

/** The columns of a merchant with the table alias `m`; `merchantOfRow` reads them. */
export const MERCHANT_COLUMNS = `m.id, m.name, m.mode, m.country, m.currency, m.capabilities,
  m.allowed_origins as "allowedOrigins", m.surcharging,
  m.three_d_secure_attempted as "threeDSecureAttempted", m.three_d_secure_unavailable as "threeDSecureUnavailable",
  m.card_testing as "cardTesting",
  m.fees, m.theme, m.clock_offset_ms as "clockOffset",
  m.created_at as "createdAt", m.updated_at as "updatedAt"`;

/** For work that is due by a merchant's clock. */
export const MERCHANT_CLOCK: ClockColumn = { table: "merchants", id: "id", aheadMs: "clock_offset_ms" };

export type MerchantRow = Omit<
  Merchant,
  "capabilities" | "surcharging" | "cardTesting" | "fees" | "theme"
> & {
  readonly theme: string | null;
  readonly cardTesting: string;
  readonly capabilities: string;
  readonly surcharging: string;
  readonly fees: string;
};

const INSERT_MERCHANT = sql(
  "merchant_insert",
  `insert into merchants
     (id, name, mode, country, currency, capabilities, allowed_origins, surcharging, founding, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
);

const FIND_MERCHANT = sql("merchant_find", `select ${MERCHANT_COLUMNS} from merchants m where m.id = $1`);
const LOCK_MERCHANT = sql(
  "merchant_lock",
  `select ${MERCHANT_COLUMNS} from merchants m where m.id = $1 for update`,
);
const LOCK_CLOCK = sql("merchant_lock_clock", `${FIND_MERCHANT.text} for share`);
const FIND_SEED = sql("merchant_find_seed", `select ${MERCHANT_COLUMNS} from merchants m where m.founding`);
const LIST_MERCHANTS = sql("merchant_list", `select ${MERCHANT_COLUMNS} from merchants m order by m.id`);
const SEARCH_MERCHANTS = sql(
  "merchant_search",
  `select ${MERCHANT_COLUMNS} from merchants m
   where m.id > $1 and ($2 = '' or m.id = $2 or strpos(lower(m.name), lower($2)) > 0) order by m.id limit $3`,
);

const HAS_OPEN_LIVE = sql(
  "merchant_has_open_live",
  `select id from merchants where mode = 'live' and capabilities::text like '%true%' limit 1`,
);
const HAS_LIVE = sql("merchant_has_live", "select id from merchants where mode = 'live' limit 1");

const UPDATE_MERCHANT = sql(
  "merchant_update",
  `update merchants set name = $2, country = $3, currency = $4, capabilities = $5, allowed_origins = $6,
     surcharging = $7, clock_offset_ms = $8, updated_at = $9, fees = $10, three_d_secure_unavailable = $11,
     card_testing = $12, three_d_secure_attempted = $13
   where id = $1`,
);

const SET_THEME = sql("merchant_set_theme", "update merchants set theme = $2 where id = $1");

/** Any number of nodes can start at once; one of them seeds. */
const LOCK_SEEDING = sql("merchant_lock_seeding", "select pg_advisory_xact_lock(7433002)");

/** The merchant in a row that may have more than its columns. */
export function merchantOfRow(row: MerchantRow): Merchant {
  return {
    id: row.id,
    name: row.name,
    mode: row.mode,
    country: row.country,
    currency: row.currency,
    capabilities: JSON.parse(row.capabilities) as Merchant["capabilities"],
    allowedOrigins: row.allowedOrigins,
    surcharging: JSON.parse(row.surcharging) as Merchant["surcharging"],
    threeDSecureAttempted: row.threeDSecureAttempted,
    threeDSecureUnavailable: row.threeDSecureUnavailable,
    cardTesting: JSON.parse(row.cardTesting) as Merchant["cardTesting"],
    fees: JSON.parse(row.fees) as Merchant["fees"],
    theme: row.theme === null ? null : (JSON.parse(row.theme) as Merchant["theme"]),
    clockOffset: row.clockOffset,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}

export async function insertMerchant(tx: Tx, merchant: Merchant, isSeed: boolean): Promise<void> {
  await tx.rows(INSERT_MERCHANT, [
    merchant.id,
    merchant.name,
    merchant.mode,
    merchant.country,
    merchant.currency,
    JSON.stringify(merchant.capabilities),
    merchant.allowedOrigins,
    JSON.stringify(merchant.surcharging),
    isSeed,
    at(merchant.createdAt),
    at(merchant.updatedAt),
  ]);
}

export async function findMerchant(tx: Tx, id: Id<"merchant">): Promise<Merchant | undefined> {
  const [row] = await tx.rows<MerchantRow>(FIND_MERCHANT, [id]);
  return row && merchantOfRow(row);
}

export async function isLiveMerchant(tx: Tx, id: Id<"merchant">): Promise<boolean> {
  return (await findMerchant(tx, id))?.mode === "live";
}

/** Holds the merchant's row until the transaction ends. */
export async function lockMerchant(tx: Tx, id: Id<"merchant">): Promise<Merchant> {
  const [row] = await tx.rows<MerchantRow>(LOCK_MERCHANT, [id]);
  if (row === undefined) throw new Error("the caller's merchant does not exist");
  return merchantOfRow(row);
}

/** The merchant, whose sandbox clock can't be moved until the transaction ends. For jobs that are due by that clock. */
export async function lockClock(tx: Tx, merchant: Merchant): Promise<Merchant> {
  const [row] = merchant.mode === "sandbox" ? await tx.rows<MerchantRow>(LOCK_CLOCK, [merchant.id]) : [];
  return row === undefined ? merchant : merchantOfRow(row);
}

export async function findSeedMerchant(tx: Tx): Promise<Merchant | undefined> {
  const [row] = await tx.rows<MerchantRow>(FIND_SEED, []);
  return row && merchantOfRow(row);
}

export async function lockSeeding(tx: Tx): Promise<void> {
  await tx.rows(LOCK_SEEDING, []);
}

export async function listMerchants(tx: Tx): Promise<readonly Merchant[]> {
  return (await tx.rows<MerchantRow>(LIST_MERCHANTS, [])).map(merchantOfRow);
}

export type MerchantSearch = {
  /** The id, or a part of the name in any case; empty for all. */
  readonly text?: string;
  /** The last id of the page before. */
  readonly after?: string;
  readonly atMost: number;
};

export async function searchMerchants(
  tx: Tx,
  { text = "", after = "", atMost }: MerchantSearch,
): Promise<readonly Merchant[]> {
  return (await tx.rows<MerchantRow>(SEARCH_MERCHANTS, [after, text, atMost])).map(merchantOfRow);
}

/** Whether a live merchant may take payments: a new one may not until the operator enables a capability. */
export async function hasOpenLiveMerchant(tx: Tx): Promise<boolean> {
  return (await tx.rows(HAS_OPEN_LIVE, [])).length > 0;
}

export async function hasLiveMerchant(tx: Tx): Promise<boolean> {
  return (await tx.rows(HAS_LIVE, [])).length > 0;
}

export async function updateMerchant(tx: Tx, merchant: Merchant): Promise<void> {
  await tx.rows(UPDATE_MERCHANT, [
    merchant.id,
    merchant.name,
    merchant.country,
    merchant.currency,
    JSON.stringify(merchant.capabilities),
    merchant.allowedOrigins,
    JSON.stringify(merchant.surcharging),
    merchant.clockOffset,
    at(merchant.updatedAt),
    JSON.stringify(merchant.fees),
    merchant.threeDSecureUnavailable,
    JSON.stringify(merchant.cardTesting),
    merchant.threeDSecureAttempted,
  ]);
}

export async function writeTheme(tx: Tx, id: Id<"merchant">, theme: Merchant["theme"]): Promise<void> {
  await tx.rows(SET_THEME, [id, jsonValue(theme)]);
}
