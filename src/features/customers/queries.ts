import type { Id } from "../../kernel/ids.ts";
import { at, sql, type Tx } from "../../platform/db/database.ts";
import { listRows } from "../../platform/db/list-rows.ts";
import { withInsert } from "../../platform/db/with-insert.ts";
import type { Page } from "../../platform/http/lists.ts";
import { type Change, EVENT_COLUMNS, eventValues } from "../../platform/outbox/publish.ts";
import type { Customer } from "./customer.ts";

const COLUMNS = `id, merchant_id as "merchantId", reference, name, email, created_at as "createdAt",
  updated_at as "updatedAt"`;

const INSERT_ROW = sql(
  "customer_insert",
  `insert into customers (merchant_id, id, reference, name, email, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $6)`,
);
const INSERT = withInsert(INSERT_ROW, "events", EVENT_COLUMNS);

const FIND = sql("customer_find", `select ${COLUMNS} from customers where merchant_id = $1 and id = $2`);
const LOCK = sql(
  "customer_lock",
  `select ${COLUMNS} from customers where merchant_id = $1 and id = $2 for no key update`,
);

const UPDATE_ROW = sql(
  "customer_update",
  "update customers set reference = $3, name = $4, email = $5, updated_at = $6 where merchant_id = $1 and id = $2",
);
const UPDATE = withInsert(UPDATE_ROW, "events", EVENT_COLUMNS);

/** The customer and its event, in one round trip. */
export async function insertCustomer(tx: Tx, one: Customer, change: Change): Promise<void> {
  const row = [one.merchantId, one.id, one.reference, one.name, one.email, at(one.createdAt)];
  await tx.rows(INSERT, [...row, ...eventValues(change)]);
}

export async function findCustomer(
  tx: Tx,
  merchantId: Id<"merchant">,
  id: Id<"customer">,
): Promise<Customer | undefined> {
  const [customer] = await tx.rows<Customer>(FIND, [merchantId, id]);
  return customer;
}

/** Holds the customer's row until the transaction ends; other transactions can still add instruments. */
export async function lockCustomer(
  tx: Tx,
  merchantId: Id<"merchant">,
  id: Id<"customer">,
): Promise<Customer | undefined> {
  const [customer] = await tx.rows<Customer>(LOCK, [merchantId, id]);
  return customer;
}

export async function updateCustomer(tx: Tx, one: Customer, change: Change): Promise<void> {
  const row = [one.merchantId, one.id, one.reference, one.name, one.email, at(one.updatedAt)];
  await tx.rows(UPDATE, [...row, ...eventValues(change)]);
}

export async function listCustomers(
  tx: Tx,
  merchantId: Id<"merchant">,
  page: Page,
  filters: { readonly reference?: string | undefined },
): Promise<readonly Customer[]> {
  const listing = { name: "customer", table: "customers", columns: COLUMNS };
  return listRows<Customer>(tx, listing, merchantId, { page, filters });
}
