import { outcomeOf } from "../../kernel/codes/outcomes.ts";
import type { Id } from "../../kernel/ids.ts";
import { lateApprovalValue, readLateApproval } from "../../kernel/late-approval.ts";
import type { Instant } from "../../kernel/time.ts";
import { at, sql, type Tx } from "../../platform/db/database.ts";
import { namesOf } from "../../platform/db/json-rows.ts";
import { listRows } from "../../platform/db/list-rows.ts";
import { readMetadata } from "../../platform/db/metadata-pairs.ts";
import { withInsert } from "../../platform/db/with-insert.ts";
import type { Page } from "../../platform/http/lists.ts";
import { JOB_COLUMNS, jobValues, type NewJob } from "../../platform/jobs/queries.ts";
import { type Change, EVENT_COLUMNS, eventValues } from "../../platform/outbox/publish.ts";
import { TRANSACTION_STATUSES, type Transaction } from "./transaction.ts";
import { changedValues, TRANSACTION_CHANGE, TRANSACTION_ROW, transactionValues } from "./transaction-row.ts";

const COLUMNS = `id, merchant_id as "merchantId", payment_request_id as "paymentRequestId", reference, method, source,
  origin, frequency, capture_type as "captureType", accepts_partial as "acceptsPartial", status, phase, code, amount, surcharge, currency,
  approved_amount as "approvedAmount", capture_status as "captureStatus", captured, fee, refunds_held as "refundsHeld", refunded, disputed, card, payid as "payId",
  bank_account as "bankAccount", customer_id as "customerId", payment_instrument_id as "paymentInstrumentId",
  stores_instrument_id as "storesInstrumentId", authentication,
  authentication_facts as "authenticationFacts", acquirer_account_id as "acquirerAccountId", acquirer, metadata,
  late_approval as "lateApproval", capture_reference as "captureReference",
  created_at as "createdAt", updated_at as "updatedAt"`;

type Row = Omit<
  Transaction,
  "code" | "card" | "bankAccount" | "payId" | "authenticationFacts" | "acquirer" | "metadata" | "lateApproval"
> & {
  readonly metadata: string | null;
  /** Outcomes are stored by number. */
  readonly code: string | null;
  readonly card: string | null;
  readonly bankAccount: string | null;
  readonly payId: string | null;
  readonly acquirer: string | null;
  readonly authenticationFacts: string | null;
  readonly lateApproval: string | null;
};

const transactionOf = (row: Row): Transaction => ({
  ...row,
  metadata: readMetadata(row.metadata),
  code: row.code === null ? null : outcomeOf(row.code),
  card: row.card === null ? null : (JSON.parse(row.card) as Transaction["card"]),
  bankAccount: row.bankAccount === null ? null : (JSON.parse(row.bankAccount) as Transaction["bankAccount"]),
  payId: row.payId === null ? null : (JSON.parse(row.payId) as Transaction["payId"]),
  acquirer: row.acquirer === null ? null : (JSON.parse(row.acquirer) as Transaction["acquirer"]),
  authenticationFacts:
    row.authenticationFacts === null
      ? null
      : (JSON.parse(row.authenticationFacts) as Transaction["authenticationFacts"]),
  lateApproval: readLateApproval(row.lateApproval),
});

const NEW_COLUMNS = namesOf(TRANSACTION_ROW);

const INSERT_ROW = sql(
  "transaction_insert",
  `insert into transactions (${NEW_COLUMNS})
   values (${NEW_COLUMNS.split(",")
     .map((_, index) => `$${index + 1}`)
     .join(", ")})`,
);
const INSERT = withInsert(INSERT_ROW, "events", EVENT_COLUMNS);
const INSERT_WITH_JOB = withInsert({ ...INSERT, name: "transaction_insert_with_job" }, "jobs", JOB_COLUMNS);

/** For the ids of several callers. */
const FIND = sql(
  "transaction_find",
  `select i.place::integer, t.* from unnest($2::text[]) with ordinality as i (wanted, place)
     cross join lateral (
       select ${COLUMNS} from transactions where merchant_id = $1 and id = i.wanted limit 1
     ) t`,
);
const LOCK = sql(
  "transaction_lock",
  `select ${COLUMNS} from transactions where merchant_id = $1 and id = $2 for update`,
);

const FIND_PENDING = sql(
  "transaction_find_pending",
  `select ${COLUMNS} from transactions where merchant_id = $1 and payment_request_id = $2 and status = 'pending'`,
);

const UPDATE = sql(
  "transaction_update",
  `update transactions set ${Object.keys(TRANSACTION_CHANGE)
    .map((column, index) => `${column} = $${index + 1}`)
    .slice(2)
    .join(", ")} where merchant_id = $1 and id = $2`,
);
const CHANGE = withInsert({ ...UPDATE, name: "transaction_change" }, "events", EVENT_COLUMNS);

/** Rare, so that payments do not carry the column in every change. */
const CHANGE_LATE_APPROVAL = withInsert(
  sql(
    "transaction_change_late_approval",
    "update transactions set late_approval = $3, updated_at = $4 where merchant_id = $1 and id = $2",
  ),
  "events",
  EVENT_COLUMNS,
);

/** As rare: the merchant's reference of a capture, before the change that the capture is. */
const SET_CAPTURE_REFERENCE = sql(
  "transaction_set_capture_reference",
  "update transactions set capture_reference = $3 where merchant_id = $1 and id = $2",
);

/** A job that follows up on a transaction in case the process that wrote it does not finish it. */
export type FollowUp = { readonly job: NewJob; readonly due: Instant };

/** The transaction, its event and its follow-up job, if it has one, in one round trip. */
export async function insertTransaction(
  tx: Tx,
  one: Transaction,
  change: Change,
  followUp?: FollowUp,
): Promise<void> {
  await tx.rows(followUp === undefined ? INSERT : INSERT_WITH_JOB, [
    ...transactionValues(one),
    ...eventValues(change),
    ...(followUp === undefined ? [] : jobValues(followUp.job, followUp.due)),
  ]);
}

export async function findTransaction(
  tx: Tx,
  merchantId: Id<"merchant">,
  id: Id<"transaction">,
): Promise<Transaction | undefined> {
  const row = await tx.gather<Row>(FIND, [id], [merchantId]);
  return row && transactionOf(row);
}

/** Holds the transaction's row until the database transaction ends. */
export async function lockTransaction(
  tx: Tx,
  merchantId: Id<"merchant">,
  id: Id<"transaction">,
): Promise<Transaction | undefined> {
  const [row] = await tx.rows<Row>(LOCK, [merchantId, id]);
  return row && transactionOf(row);
}

/** The pending attempt of a payment request, if it has one. */
export async function findPendingOf(
  tx: Tx,
  merchantId: Id<"merchant">,
  paymentRequestId: Id<"paymentRequest">,
): Promise<Transaction | undefined> {
  const [row] = await tx.rows<Row>(FIND_PENDING, [merchantId, paymentRequestId]);
  return row && transactionOf(row);
}

/** A change that is published carries its event in the same round trip. */
export async function updateTransaction(tx: Tx, one: Transaction, change?: Change): Promise<void> {
  await tx.rows(change === undefined ? UPDATE : CHANGE, [
    ...changedValues(one),
    ...(change === undefined ? [] : eventValues(change)),
  ]);
}

/** The late approval of a declined transaction, with the event of that change. */
export async function updateLateApproval(tx: Tx, one: Transaction, change: Change): Promise<void> {
  const { merchantId, id, lateApproval, updatedAt } = one;
  const values = [merchantId, id, lateApprovalValue(lateApproval), at(updatedAt)];
  await tx.rows(CHANGE_LATE_APPROVAL, [...values, ...eventValues(change)]);
}

export async function setCaptureReference(tx: Tx, one: Transaction): Promise<void> {
  await tx.rows(SET_CAPTURE_REFERENCE, [one.merchantId, one.id, one.captureReference]);
}

export type TransactionFilters = {
  readonly payment_request_id?: string | undefined;
  readonly customer_id?: string | undefined;
  readonly reference?: string | undefined;
  readonly status?: string | undefined;
  /** A pair of metadata, as `pairText` writes it. */
  readonly pair?: string | undefined;
};

export async function listTransactions(
  tx: Tx,
  merchantId: Id<"merchant">,
  page: Page,
  { pair, ...filters }: TransactionFilters,
): Promise<readonly Transaction[]> {
  const rows = await listRows<Row>(
    tx,
    { name: "transaction", table: "transactions", columns: COLUMNS, statuses: TRANSACTION_STATUSES },
    merchantId,
    { page, filters, pair },
  );
  return rows.map(transactionOf);
}

/** Jobs of later features that send reversals of a payment or of one of its refunds. */
export const REVERSAL_JOBS = [
  "checkout_reverse_again",
  "refund_reverse_again",
  "acquirer_reverse_late",
] as const;

/** The kinds are in the text: an index has these alone. */
const HAS_REVERSAL_JOB = sql(
  "transaction_has_reversal_job",
  `select from jobs where merchant_id = $1 and kind in (${REVERSAL_JOBS.map((kind) => `'${kind}'`).join(", ")})
     and subject_id = any (array(
       select id from refunds where merchant_id = $1 and transaction_id = $2 union all select $2)) limit 1`,
);

/** Whether a job still sends reversals of the transaction or of one of its refunds. */
export async function hasReversalJob(
  tx: Tx,
  merchantId: Id<"merchant">,
  id: Id<"transaction">,
): Promise<boolean> {
  return (await tx.rows(HAS_REVERSAL_JOB, [merchantId, id])).length > 0;
}
