import type { Id } from "../../kernel/ids.ts";
import type { Instant } from "../../kernel/time.ts";
import { orOnOneServer } from "../../platform/db/by-merchant.ts";
import { at, type Database, sql, type Tx } from "../../platform/db/database.ts";
import { jsonRows } from "../../platform/db/json-rows.ts";
import { type Condition, listRows } from "../../platform/db/list-rows.ts";
import { readMetadata } from "../../platform/db/metadata-pairs.ts";
import { withInsert } from "../../platform/db/with-insert.ts";
import type { Page } from "../../platform/http/lists.ts";
import { insertKeyUse } from "../../platform/idempotency/queries.ts";
import { JOB_COLUMNS, jobValues } from "../../platform/jobs/queries.ts";
import { type Change, EVENT_COLUMNS, eventValues } from "../../platform/outbox/publish.ts";
import { merchantOfPageKey } from "../hosted-pages/index.ts";
import { deleteOpenPayId, holdPayId, type PayIdHolder } from "./open-payids/queries.ts";
import {
  type Details,
  type PayIdReturn,
  type PaymentRequest,
  STATUSES,
  type Status,
} from "./payment-request.ts";
import {
  changedRequestValues,
  NEW_REQUEST,
  type NewRequestRows,
  newRequestRow,
  REQUEST_CHANGE,
} from "./payment-request-row.ts";

const COLUMNS = `id, merchant_id as "merchantId", reference, external_reference as "externalReference", flow, status,
  amount, currency, details, metadata, page_key as "pageKey", payid_value as "payIdValue", payid_returns as "payIdReturns",
  approved_transaction_id as "approvedTransactionId", failed_transaction_ids as "failedTransactionIds",
  customer_id as "customerId", payment_instrument_id as "paymentInstrumentId", expires_at as "expiresAt",
  created_at as "createdAt", updated_at as "updatedAt"`;

/** The columns of a request with the table alias `r`, each under its own name after `r_`; `requestOfJoined` reads them. */
export const JOINED_REQUEST_COLUMNS = COLUMNS.split(",")
  .map((column) => /^(\w+)(?: as "(\w+)")?$/.exec(column.trim()) ?? [])
  .map(([, column = "", name = column]) => `r.${column} as "r_${name}"`)
  .join(", ");

/** Of the merchant `$1`. Separate from the columns, because lists and events leave it out. */
const LOGO = `(select data_uri from logos
  where logos.merchant_id = $1 and logos.hash = payment_requests.logo_hash) as logo`;

type Row = Omit<PaymentRequest, "details" | "metadata" | "payIdReturns"> & {
  readonly metadata: string | null;
  readonly details: string;
  readonly payIdReturns: string | null;
};

export const EXPIRE_JOB = "payment_request_expire";

const LOGO_HASH = "sha256(convert_to(logo, 'UTF8')) as logo_hash";

const insertLogos = (free: string) =>
  `insert into logos (merchant_id, hash, data_uri)
   select distinct on (merchant_id, logo_hash) $1, logo_hash, logo
   from ${free} where logo is not null order by merchant_id, logo_hash
   on conflict do nothing`;

const insertRequests = (free: string) =>
  `insert into payment_requests
     (merchant_id, id, reference, external_reference, flow, status, amount, currency, details, logo_hash,
      metadata, page_key, payid_value, payid_held_at, expires_at, created_at, updated_at)
   select $1, id, reference, external_reference, flow, status, amount, currency, details::json, logo_hash,
     metadata::json, page_key, payid_value, case when payid_value is not null then now() end,
     expires_at, created_at, created_at
   from ${free}`;

const insertEvents = (free: string) =>
  `insert into events (${EVENT_COLUMNS})
   select $1, event_id, event, event_resource_id, event_created_at, event_body from ${free}`;

const insertExpiryJobs = (free: string) =>
  `insert into jobs (kind, merchant_id, subject_id, due_at)
   select '${EXPIRE_JOB}', $1, id, expiry_due_at from ${free}`;

/**
 * The hot write: idempotency keys, logos, requests, events and expiry jobs of all waiting requests of the merchant `$1` in one
 * round trip. A request is written only if its key is free. One statement writes all of its rows or none. Keys and then logos
 * are inserted in sorted order, so two such statements never deadlock. A key that another call is using is waited for, so no
 * other merchant's requests are in the statement.
 */
const INSERT = sql(
  "payment_request_insert",
  `with input as materialized (select * from ${jsonRows("$2", NEW_REQUEST, "n")} where merchant_id = $1),
   claimed as (
     insert into idempotency_keys (merchant_id, key, request_id, resource_id, location, status)
     select $1, key, request_id, id, location, case when payid_value is null then 'done' else 'processing' end
     from input where key is not null order by key
     on conflict do nothing returning resource_id
   ),
   free as materialized (
     select *, ${LOGO_HASH}
     from input where key is null or id in (select resource_id from claimed)
   ),
   new_logo as (${insertLogos("free")}),
   request as (${insertRequests("free")}),
   event as (${insertEvents("free")}),
   job as (${insertExpiryJobs("free")})
   select place::integer from free`,
  { emitsEvent: true },
);

/**
 * The same for one request of the merchant `$1`, whose key is free: a statement for each table, in one transaction. Citus sends
 * rows that a statement's own part has chosen to all of its servers; these statements need the merchant's alone.
 */
const ALONE = `(select *, ${LOGO_HASH} from ${jsonRows("$2", NEW_REQUEST, "n")}) as alone`;
const INSERT_ALONE = [
  sql("payment_request_insert_logo", insertLogos(ALONE)),
  sql("payment_request_insert_alone", insertRequests(ALONE)),
  sql("payment_request_insert_event", insertEvents(ALONE), { emitsEvent: true }),
  sql("payment_request_insert_job", insertExpiryJobs(ALONE)),
];

/** The same for one PayID request, with the job that registers its PayID if this process does not. */
const INSERT_PAYID = withInsert({ ...INSERT, name: "payment_request_insert_payid" }, "jobs", JOB_COLUMNS);

/** For the ids of several callers. */
const FIND = sql(
  "payment_request_find",
  `select i.place::integer, r.* from unnest($2::text[]) with ordinality as i (wanted, place)
     cross join lateral (
       select ${COLUMNS}, ${LOGO} from payment_requests where merchant_id = $1 and id = i.wanted limit 1
     ) r`,
);

const LOCK = sql(
  "payment_request_lock",
  `select ${COLUMNS}, ${LOGO} from payment_requests where merchant_id = $1 and id = $2 for update`,
);

const FIND_OF_PAGE = sql(
  "payment_request_find_of_page",
  `select merchant_id as "merchantId", id from payment_requests
   where merchant_id = $1 and page_key = $2 and flow = 'hosted_page'`,
);
const FIND_OF_PAYID_PAGE = sql(
  "payment_request_find_of_payid_page",
  `select ${COLUMNS}, null as logo from payment_requests
   where merchant_id = $1 and page_key = $2 and flow = 'payid'`,
);
const FIND_OF_OLD_PAGE = sql(
  "payment_request_find_of_old_page",
  `select merchant_id as "merchantId", id from payment_requests where page_key = $1`,
  { fanOut: "a page's key from before migration 65 does not say whose it is" },
);

const UPDATE_ROW = sql(
  "payment_request_update",
  `update payment_requests set ${Object.keys(REQUEST_CHANGE)
    .map((column, index) => `${column} = $${index + 1}`)
    .slice(2)
    .join(", ")} where merchant_id = $1 and id = $2`,
);

const UPDATE = withInsert(UPDATE_ROW, "events", EVENT_COLUMNS);

/** Overdue requests that no worker has expired yet: few, as long as a worker runs. */
const LIST_OVERDUE = sql(
  "payment_request_list_overdue",
  `select subject_id as id from jobs where merchant_id = $1 and kind = $2 and due_at <= $3
   order by due_at limit $4`,
);

const LISTING = {
  name: "payment_request",
  table: "payment_requests",
  columns: `${COLUMNS}, null as logo`,
  statuses: STATUSES,
};

/**
 * Overdue requests do not count as `created`, except while a payment is in progress, which may finish. `offset 0` has it
 * looked up for each overdue row, of which there are few: the planner could otherwise read all pending payments first.
 */
const isNotOverdue = (now: Instant): Condition => ({
  sql: (place) => `(status <> 'created' or expires_at > ${place}::timestamptz or exists (
     select from transactions t where t.merchant_id = $1 and t.payment_request_id = payment_requests.id
       and t.status = 'pending' offset 0))`,
  value: at(now),
});

const requestOf = (row: Row): PaymentRequest => ({
  ...row,
  details: JSON.parse(row.details) as Details,
  metadata: readMetadata(row.metadata),
  payIdReturns: row.payIdReturns === null ? [] : (JSON.parse(row.payIdReturns) as readonly PayIdReturn[]),
});

export type JoinedRequestRow = { readonly [Name in keyof Row as `r_${Name}`]: Row[Name] };

/** The request in a row that has more than its columns. Without the logo, which no payment needs. */
export function requestOfJoined(row: JoinedRequestRow): PaymentRequest {
  return requestOf({
    id: row.r_id,
    merchantId: row.r_merchantId,
    reference: row.r_reference,
    externalReference: row.r_externalReference,
    flow: row.r_flow,
    status: row.r_status,
    amount: row.r_amount,
    currency: row.r_currency,
    details: row.r_details,
    metadata: row.r_metadata,
    logo: null,
    pageKey: row.r_pageKey,
    payIdValue: row.r_payIdValue,
    payIdReturns: row.r_payIdReturns,
    approvedTransactionId: row.r_approvedTransactionId,
    failedTransactionIds: row.r_failedTransactionIds,
    customerId: row.r_customerId,
    paymentInstrumentId: row.r_paymentInstrumentId,
    expiresAt: row.r_expiresAt,
    createdAt: row.r_createdAt,
    updatedAt: row.r_updatedAt,
  });
}

/** False when the idempotency key is already used; then nothing was written. */
export async function insertPaymentRequest(db: Database, rows: NewRequestRows): Promise<boolean> {
  const { request, registration } = rows;
  const row = newRequestRow(rows);
  if (registration === undefined)
    return orOnOneServer(
      async () => (await db.gather(INSERT, [row], [request.merchantId])) !== undefined,
      () => insertAlone(db, rows, row),
    );
  // A taken PayID fails its statement, so each PayID request has its own.
  const values = [
    request.merchantId,
    JSON.stringify([row]),
    ...jobValues(registration.job, registration.due),
  ];
  const insert = async (tx: Tx) => (await tx.rows(INSERT_PAYID, values)).length === 1;
  if (request.payIdValue === null || !((await db.isDistributed?.()) ?? false)) return insert(db);
  return db.transaction(async (tx) => {
    const isWritten = await insert(tx);
    if (isWritten) await holdPayId(tx, request);
    return isWritten;
  });
}

/** True also if the request is there: an attempt without an answer may have written it. */
async function insertAlone(db: Database, { request, use }: NewRequestRows, row: object): Promise<boolean> {
  const { merchantId, id } = request;
  const { key, requestId, location } = use;
  return db.transaction(async (tx) => {
    if ((await findPaymentRequest(tx, merchantId, id)) !== undefined) return true;
    const isFree =
      key === undefined ||
      (await insertKeyUse(tx, { merchantId, key, requestId, resourceId: id, location, status: "done" }));
    if (!isFree) return false;
    for (const insert of INSERT_ALONE) await tx.rows(insert, [merchantId, JSON.stringify([row])]);
    return true;
  });
}

export async function findPaymentRequest(
  tx: Tx,
  merchantId: Id<"merchant">,
  id: Id<"paymentRequest">,
): Promise<PaymentRequest | undefined> {
  const row = await tx.gather<Row>(FIND, [id], [merchantId]);
  return row && requestOf(row);
}

/** The request of a hosted page. The key is unguessable, so it alone identifies the request. */
export async function findRequestOfPage(
  tx: Tx,
  pageKey: string,
): Promise<Pick<PaymentRequest, "merchantId" | "id"> | undefined> {
  const merchantId = merchantOfPageKey(pageKey);
  const [row] = await (merchantId === undefined
    ? tx.rows<PayIdHolder>(FIND_OF_OLD_PAGE, [pageKey])
    : tx.rows<PayIdHolder>(FIND_OF_PAGE, [merchantId, pageKey]));
  return row;
}

/** The request of a PayID's page. */
export async function findRequestOfPayIdPage(tx: Tx, pageKey: string): Promise<PaymentRequest | undefined> {
  const merchantId = merchantOfPageKey(pageKey);
  if (merchantId === undefined) return undefined;
  const [row] = await tx.rows<Row>(FIND_OF_PAYID_PAGE, [merchantId, pageKey]);
  return row && requestOf(row);
}

/** Locks the request's row until the transaction ends. */
export async function lockPaymentRequest(
  tx: Tx,
  merchantId: Id<"merchant">,
  id: Id<"paymentRequest">,
): Promise<PaymentRequest | undefined> {
  const [row] = await tx.rows<Row>(LOCK, [merchantId, id]);
  return row && requestOf(row);
}

/** The request and the event of its change, in one round trip. */
export async function updatePaymentRequest(tx: Tx, request: PaymentRequest, change: Change): Promise<void> {
  await tx.rows(UPDATE, [...changedRequestValues(request), ...eventValues(change)]);
  if (request.payIdValue === null || request.status === "created") return;
  if ((await tx.isDistributed?.()) ?? false) await deleteOpenPayId(tx, request);
}

export async function listOverdue(
  tx: Tx,
  merchantId: Id<"merchant">,
  now: Instant,
  limit: number,
): Promise<readonly Id<"paymentRequest">[]> {
  const range = [merchantId, EXPIRE_JOB, at(now), limit];
  const rows = await tx.rows<{ id: Id<"paymentRequest"> }>(LIST_OVERDUE, range);
  return rows.map((row) => row.id);
}

export type Filters = {
  readonly status?: Status;
  readonly reference?: string;
  /** A pair of metadata, as `pairText` writes it. */
  readonly pair?: string | undefined;
};

export async function listRequestRows(
  tx: Tx,
  merchantId: Id<"merchant">,
  page: Page,
  { status, reference, pair, now }: Filters & { readonly now: Instant },
): Promise<readonly PaymentRequest[]> {
  const rows = await listRows<Row>(tx, LISTING, merchantId, {
    page,
    filters: { reference, status },
    condition: status === undefined ? undefined : isNotOverdue(now),
    pair,
  });
  return rows.map(requestOf);
}
