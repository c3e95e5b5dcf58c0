import type { Id } from "../../kernel/ids.ts";
import { at, sql, type Tx } from "../../platform/db/database.ts";
import { listRows } from "../../platform/db/list-rows.ts";
import { metadataValue, readMetadata } from "../../platform/db/metadata-pairs.ts";
import { withInsert } from "../../platform/db/with-insert.ts";
import type { Page } from "../../platform/http/lists.ts";
import { type Change, EVENT_COLUMNS, eventValues } from "../../platform/outbox/publish.ts";
import type { Customer } from "./customer.ts";

const COLUMNS = `id, merchant_id as "merchantId", reference, name, email, metadata, created_at as "createdAt",
  updated_at as "updatedAt"`;

const INSERT_ROW = sql(
  "customer_insert",
  `insert into customers (merchant_id, id, reference, name, email, metadata, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8)`,
);
const INSERT = withInsert(INSERT_ROW, "events", EVENT_COLUMNS);

const FIND = sql("customer_find", `select ${COLUMNS} from customers where merchant_id = $1 and id = $2`);
const LOCK = sql(
  "customer_lock",
  `select ${COLUMNS} from customers where merchant_id = $1 and id = $2 for no key update`,
);

const UPDATE_ROW = sql(
  "customer_update",
  `update customers set reference = $3, name = $4, email = $5, metadata = $6, updated_at = $7
   where merchant_id = $1 and id = $2`,
);
const UPDATE = withInsert(UPDATE_ROW, "events", EVENT_COLUMNS);

type Row = Omit<Customer, "metadata"> & { readonly metadata: string | null };

const customerOf = (row: Row): Customer => ({ ...row, metadata: readMetadata(row.metadata) });

const valuesOf = (one: Customer) => [
  one.merchantId,
  one.id,
  one.reference,
  one.name,
  one.email,
  metadataValue(one.metadata),
];

/** The customer and its event, in one round trip. */
export async function insertCustomer(tx: Tx, one: Customer, change: Change): Promise<void> {
  const row = [...valuesOf(one), at(one.createdAt), at(one.updatedAt)];
  await tx.rows(INSERT, [...row, ...eventValues(change)]);
}

export async function findCustomer(
  tx: Tx,
  merchantId: Id<"merchant">,
  id: Id<"customer">,
): Promise<Customer | undefined> {
  const [row] = await tx.rows<Row>(FIND, [merchantId, id]);
  return row && customerOf(row);
}

/** Holds the customer's row until the transaction ends; other transactions can still add instruments. */
export async function lockCustomer(
  tx: Tx,
  merchantId: Id<"merchant">,
  id: Id<"customer">,
): Promise<Customer | undefined> {
  const [row] = await tx.rows<Row>(LOCK, [merchantId, id]);
  return row && customerOf(row);
}

export async function updateCustomer(tx: Tx, one: Customer, change: Change): Promise<void> {
  const row = [...valuesOf(one), at(one.updatedAt)];
  await tx.rows(UPDATE, [...row, ...eventValues(change)]);
}

export async function listCustomers(
  tx: Tx,
  merchantId: Id<"merchant">,
  page: Page,
  { reference, pair }: { readonly reference?: string | undefined; readonly pair?: string | undefined },
): Promise<readonly Customer[]> {
  const listing = { name: "customer", table: "customers", columns: COLUMNS };
  const rows = await listRows<Row>(tx, listing, merchantId, { page, filters: { reference }, pair });
  return rows.map(customerOf);
}
