import type { Id } from "../../kernel/ids.ts";
import type { MaskedCard } from "../../kernel/masked-card.ts";
import type { Metadata } from "../../kernel/metadata.ts";
import type { Instant } from "../../kernel/time.ts";
import { at, sql, type Tx } from "../../platform/db/database.ts";
import { jsonValue } from "../../platform/db/json-value.ts";
import { listRows } from "../../platform/db/list-rows.ts";
import { metadataValue, readMetadata } from "../../platform/db/metadata-pairs.ts";
import { withInsert } from "../../platform/db/with-insert.ts";
import type { Page } from "../../platform/http/lists.ts";
import { pairFilter } from "../../platform/http/metadata.ts";
import { type Change, EVENT_COLUMNS, eventValues } from "../../platform/outbox/publish.ts";
import type { BankAccount, PaymentInstrument } from "./payment-instrument.ts";

const COLUMNS = `id, merchant_id as "merchantId", customer_id as "customerId", reference, type, card,
  bank_account as "bankAccount", network_transaction_id as "networkTransactionId", metadata,
  created_at as "createdAt", updated_at as "updatedAt", deleted_at as "deletedAt"`;

type Row = Omit<PaymentInstrument, "card" | "bankAccount" | "metadata"> & {
  readonly metadata: string | null;
  readonly card: string | null;
  readonly bankAccount: string | null;
};

const INSERT_ROW = sql(
  "payment_instrument_insert",
  `insert into payment_instruments
     (merchant_id, id, customer_id, reference, type, card, bank_account, metadata, created_at, updated_at, network_transaction_id)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
);
const INSERT = withInsert(INSERT_ROW, "events", EVENT_COLUMNS);

const ONE = "merchant_id = $1 and customer_id = $2 and id = $3 and deleted_at is null";

const FIND = sql("payment_instrument_find", `select ${COLUMNS} from payment_instruments where ${ONE}`);
const IS_KNOWN = sql(
  "payment_instrument_is_known",
  "select true as known from payment_instruments where merchant_id = $1 and id = $2 and deleted_at is null",
);
const LOCK = sql(
  "payment_instrument_lock",
  `select ${COLUMNS} from payment_instruments where ${ONE} for update`,
);

const UPDATE_ROW = sql(
  "payment_instrument_update",
  `update payment_instruments set reference = $3, card = $4, bank_account = $5, metadata = $6, updated_at = $7
   where merchant_id = $1 and id = $2`,
);
const UPDATE = withInsert(UPDATE_ROW, "events", EVENT_COLUMNS);

const DELETE_ROW = sql(
  "payment_instrument_delete",
  "update payment_instruments set deleted_at = $3, updated_at = $4 where merchant_id = $1 and id = $2",
);
const DELETE = withInsert(DELETE_ROW, "events", EVENT_COLUMNS);

/** The operator's walk over all merchants, in the order of the primary key: a page costs the same wherever it begins. */
const LIST_FOR_PURGE = sql(
  "payment_instrument_list_for_purge",
  `select ${COLUMNS} from payment_instruments where (merchant_id, id) > ($1, $2)
   order by merchant_id, id limit $3`,
  { fanOut: "an operator's command, which walks the instruments of all merchants" },
);
/** The audit log has every use of a number. */
const FIND_LAST_USE = sql(
  "payment_instrument_find_last_use",
  `select at from audit_log where merchant_id = $1 and subject_id = $2 and act = 'number_used'
   order by id desc limit 1`,
);

/** The newest instruments of some customers, each with its customer's total count. */
const LIST_NEWEST = sql(
  "payment_instrument_list_newest",
  `with customer as materialized (
     select c.id, (
       select count(*) from payment_instruments
       where merchant_id = $1 and customer_id = c.id and deleted_at is null) as total
     from unnest($2::text[]) as c (id))
   select newest.*, customer.total from customer cross join lateral (
     select ${COLUMNS} from payment_instruments
     where merchant_id = $1 and customer_id = customer.id and deleted_at is null
     order by payment_instruments.id desc limit $3) newest order by newest.id desc`,
);

const LIST_OF_CUSTOMER = sql(
  "payment_instrument_list_of_customer",
  `select ${COLUMNS} from payment_instruments
   where merchant_id = $1 and customer_id = $2 and deleted_at is null order by id desc limit $3`,
);

const instrumentOf = ({ card, bankAccount, metadata, ...row }: Row): PaymentInstrument =>
  ({
    ...row,
    card: card === null ? null : (JSON.parse(card) as MaskedCard),
    bankAccount: bankAccount === null ? null : (JSON.parse(bankAccount) as BankAccount),
    metadata: readMetadata(metadata),
  }) as PaymentInstrument;

/** The instrument and its event, in one round trip. */
export async function insertInstrument(tx: Tx, one: PaymentInstrument, change: Change): Promise<void> {
  await tx.rows(INSERT, [
    one.merchantId,
    one.id,
    one.customerId,
    one.reference,
    one.type,
    jsonValue(one.card),
    jsonValue(one.bankAccount),
    metadataValue(one.metadata),
    at(one.createdAt),
    at(one.updatedAt),
    one.networkTransactionId,
    ...eventValues(change),
  ]);
}

/** The next instruments of any merchant, deleted ones too. */
export async function listForPurge(
  tx: Tx,
  after: { readonly merchantId: string; readonly id: string },
  atMost: number,
): Promise<readonly PaymentInstrument[]> {
  return (await tx.rows<Row>(LIST_FOR_PURGE, [after.merchantId, after.id, atMost])).map(instrumentOf);
}

export async function findLastUse(
  tx: Tx,
  merchantId: Id<"merchant">,
  id: Id<"paymentInstrument">,
): Promise<Instant | undefined> {
  return (await tx.rows<{ readonly at: Instant }>(FIND_LAST_USE, [merchantId, id]))[0]?.at;
}

/** Does not return a deleted instrument. */
export async function findInstrument(
  tx: Tx,
  merchantId: Id<"merchant">,
  customerId: Id<"customer">,
  id: Id<"paymentInstrument">,
): Promise<PaymentInstrument | undefined> {
  const [row] = await tx.rows<Row>(FIND, [merchantId, customerId, id]);
  return row && instrumentOf(row);
}

/** Whether any customer of this merchant has the instrument. */
export async function isKnownInstrument(
  tx: Tx,
  merchantId: Id<"merchant">,
  id: Id<"paymentInstrument">,
): Promise<boolean> {
  return (await tx.rows(IS_KNOWN, [merchantId, id])).length === 1;
}

/** Holds the instrument's row until the transaction ends. */
export async function lockInstrument(
  tx: Tx,
  merchantId: Id<"merchant">,
  customerId: Id<"customer">,
  id: Id<"paymentInstrument">,
): Promise<PaymentInstrument | undefined> {
  const [row] = await tx.rows<Row>(LOCK, [merchantId, customerId, id]);
  return row && instrumentOf(row);
}

export async function updateInstrument(tx: Tx, one: PaymentInstrument, change: Change): Promise<void> {
  const shown = [one.reference, jsonValue(one.card), jsonValue(one.bankAccount), metadataValue(one.metadata)];
  await tx.rows(UPDATE, [one.merchantId, one.id, ...shown, at(one.updatedAt), ...eventValues(change)]);
}

export async function markDeleted(tx: Tx, one: PaymentInstrument, change: Change): Promise<void> {
  const deletedAt = one.deletedAt === null ? null : at(one.deletedAt);
  await tx.rows(DELETE, [one.merchantId, one.id, deletedAt, at(one.updatedAt), ...eventValues(change)]);
}

const BANK_NAME = "coalesce(bank_account ->> 'bankName', metadata ->> 'bankName')";

export async function listInstruments(
  tx: Tx,
  merchantId: Id<"merchant">,
  page: Page,
  { customerId, metadata }: { readonly customerId: Id<"customer">; readonly metadata?: Metadata | undefined },
): Promise<readonly PaymentInstrument[]> {
  const listing = {
    name: "payment_instrument",
    table: "payment_instruments",
    columns: COLUMNS,
    always: "deleted_at is null",
  };
  // The name of the bank is not the merchant's pair, so no index has it.
  const bankName = metadata?.["bankName"];
  const filters = { customer_id: customerId, [BANK_NAME]: bankName };
  const pair = bankName === undefined ? pairFilter(metadata, customerId) : undefined;
  const rows = await listRows<Row>(tx, listing, merchantId, { page, filters, pair });
  return rows.map(instrumentOf);
}

/** The newest instruments of a customer, at most so many. */
export async function listOfCustomer(
  tx: Tx,
  merchantId: Id<"merchant">,
  customerId: Id<"customer">,
  atMost: number,
): Promise<readonly PaymentInstrument[]> {
  return (await tx.rows<Row>(LIST_OF_CUSTOMER, [merchantId, customerId, atMost])).map(instrumentOf);
}

export async function listNewest(
  tx: Tx,
  merchantId: Id<"merchant">,
  customers: readonly Id<"customer">[],
  atMost: number,
): Promise<readonly { readonly instrument: PaymentInstrument; readonly total: number }[]> {
  const rows = await tx.rows<Row & { total: number }>(LIST_NEWEST, [merchantId, customers, atMost]);
  return rows.map(({ total, ...row }) => ({ instrument: instrumentOf(row), total }));
}
