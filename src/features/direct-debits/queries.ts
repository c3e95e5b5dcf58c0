import type { Id } from "../../kernel/ids.ts";
import { CURRENCIES, type Currency } from "../../kernel/money.ts";
import type { Instant } from "../../kernel/time.ts";
import { at, onlyRow, sql, type Tx } from "../../platform/db/database.ts";
import { JOB_COLUMNS } from "../../platform/jobs/queries.ts";
import { type Batch, bankReferenceOf, type Debit, type DebitToSend } from "./direct-debit.ts";

const TO_SEND_COLUMNS = `t.id as "transactionId", t.payment_instrument_id as "paymentInstrumentId", t.amount, t.currency,
  t.bank_account as "bankAccount", t.created_at as "requestedAt"`;

type ToSendRow = Omit<DebitToSend, "bankAccount"> & { readonly bankAccount: string };

const toSendOf = (row: ToSendRow): DebitToSend => ({
  ...row,
  bankAccount: JSON.parse(row.bankAccount) as DebitToSend["bankAccount"],
});

/**
 * Batches of one merchant are made one after another: each sees what the one before took. Without waiting: those that wait
 * would hold a connection each.
 */
const LOCK_BATCHING = sql(
  "debit_lock_batching",
  `select pg_try_advisory_xact_lock(hashtextextended('debit batches of ' || $1, 0)) as "wasFree"`,
);

/** Walks the waiting debits alone, however many others are pending. */
const LOCK_WAITING = sql(
  "debit_lock_waiting",
  `select ${TO_SEND_COLUMNS} from (
     select transaction_id from waiting_debits where merchant_id = $1 and currency = $2 and transaction_id > $3
     order by transaction_id limit $4 for update
   ) w
   cross join lateral (select * from transactions where merchant_id = $1 and id = w.transaction_id offset 0) t
   order by t.id`,
);

const DELETE_WAITING = sql(
  "debit_delete_waiting",
  `delete from waiting_debits where merchant_id = $1 and currency = any ($2::text[]) and transaction_id = $3
   returning transaction_id`,
);

const INSERT_BATCH = sql(
  "debit_batch_insert",
  `insert into debit_batches (merchant_id, id, rail, currency, day, debits, total, created_at, status)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
);

const INSERT_DEBITS = sql(
  "debit_insert",
  `insert into debits (merchant_id, transaction_id, batch_id, bank_reference)
   select $1, one.id, $2, one.reference from unnest($3::text[], $4::text[]) as one (id, reference)`,
);

const DEBIT_COLUMNS = `transaction_id as "transactionId", batch_id as "batchId", bank_reference as "bankReference",
  submitted_at as "submittedAt", closed_at as "closedAt"`;

const FIND = sql(
  "debit_find",
  `select ${DEBIT_COLUMNS} from debits where merchant_id = $1 and transaction_id = $2`,
);

const LIST_UNSENT = sql(
  "debit_list_unsent",
  `select ${TO_SEND_COLUMNS} from debits d
   join transactions t on t.merchant_id = d.merchant_id and t.id = d.transaction_id
   where d.merchant_id = $1 and d.batch_id = $2 and d.submitted_at is null and d.closed_at is null
     and t.status = 'pending'
   order by t.id`,
);

const LIST_OPEN = sql(
  "debit_list_open",
  `select ${DEBIT_COLUMNS} from debits
   where merchant_id = $1 and closed_at is null and transaction_id > $2 order by transaction_id limit $3`,
);

const LIST_BATCH = sql(
  "debit_list_batch",
  `select ${TO_SEND_COLUMNS} from debits d
   join transactions t on t.merchant_id = d.merchant_id and t.id = d.transaction_id
   where d.merchant_id = $1 and d.batch_id = $2 order by t.id`,
);

export const BATCH_COLUMNS = `id, merchant_id as "merchantId", rail, currency, day::text as day, debits, total,
  created_at as "createdAt", status, attempts, submitting_since as "submittingSince",
  processing_day::text as "processingDay"`;

const FIND_BATCH = sql(
  "debit_batch_find",
  `select ${BATCH_COLUMNS} from debit_batches where merchant_id = $1 and id = $2`,
);

const LOCK_BATCH = sql("debit_batch_lock", `${FIND_BATCH.text} for update`);

const UPDATE_BATCH = sql(
  "debit_batch_update",
  `update debit_batches set status = $3, attempts = $4, submitting_since = $5, processing_day = $6, day = $7
   where merchant_id = $1 and id = $2`,
);

const COUNT_SENT = sql(
  "debit_count_sent",
  `select count(submitted_at) as sent, count(*) filter (where submitted_at is null and closed_at is null) as unsent
   from debits where merchant_id = $1 and batch_id = $2`,
);

/** Each debit that becomes submitted gets its job, once. */
const MARK_SUBMITTED = sql(
  "debit_mark_submitted",
  `with sent as (
     update debits set submitted_at = $3
     where merchant_id = $1 and transaction_id = any ($2::text[]) and submitted_at is null and closed_at is null
     returning transaction_id
   )
   insert into jobs (${JOB_COLUMNS}) select $4, $1, transaction_id, $5, false from sent`,
);

const MARK_UNSENT = sql(
  "debit_mark_unsent",
  "update debits set submitted_at = null where merchant_id = $1 and transaction_id = $2 and closed_at is null",
);

const CLOSE = sql(
  "debit_close",
  `update debits set closed_at = $3 where merchant_id = $1 and transaction_id = $2 and closed_at is null`,
);

/** Keeps others from making a batch for this merchant until the transaction ends. False when one is being made. */
export async function lockBatching(tx: Tx, merchantId: Id<"merchant">): Promise<boolean> {
  return onlyRow(await tx.rows<{ wasFree: boolean }>(LOCK_BATCHING, [merchantId])).wasFree;
}

/** The next debits that are in no batch; locked until the transaction ends. */
export async function lockWaiting(
  tx: Tx,
  merchantId: Id<"merchant">,
  currency: Currency,
  { after, atMost }: { readonly after: string; readonly atMost: number },
): Promise<readonly DebitToSend[]> {
  return (await tx.rows<ToSendRow>(LOCK_WAITING, [merchantId, currency, after, atMost])).map(toSendOf);
}

/** Keeps a debit out of every batch. False when it is in one, or was never waiting. */
export async function deleteWaiting(
  tx: Tx,
  merchantId: Id<"merchant">,
  id: Id<"transaction">,
): Promise<boolean> {
  return (await tx.rows(DELETE_WAITING, [merchantId, CURRENCIES, id])).length > 0;
}

export async function insertBatch(tx: Tx, batch: Batch, all: readonly DebitToSend[]): Promise<void> {
  const { merchantId, id, rail, currency, day, debits, total, createdAt, status } = batch;
  await tx.rows(INSERT_BATCH, [merchantId, id, rail, currency, day, debits, total, at(createdAt), status]);
  const ids = all.map(({ transactionId }) => transactionId);
  await tx.rows(INSERT_DEBITS, [merchantId, id, ids, ids.map(bankReferenceOf)]);
}

export async function findDebit(
  tx: Tx,
  merchantId: Id<"merchant">,
  id: Id<"transaction">,
): Promise<Debit | undefined> {
  const [debit] = await tx.rows<Debit>(FIND, [merchantId, id]);
  return debit;
}

/** The debits of a batch that are not with the bank yet. */
export async function listUnsent(
  tx: Tx,
  merchantId: Id<"merchant">,
  batchId: Id<"debitBatch">,
): Promise<readonly DebitToSend[]> {
  return (await tx.rows<ToSendRow>(LIST_UNSENT, [merchantId, batchId])).map(toSendOf);
}

/** Debits whose outcome is not final yet, ordered by id. */
export async function listOpen(
  tx: Tx,
  merchantId: Id<"merchant">,
  after: string,
  limit: number,
): Promise<readonly Debit[]> {
  return tx.rows<Debit>(LIST_OPEN, [merchantId, after, limit]);
}

/** Marks open debits as submitted and writes the job that follows each, of that kind and due at that real time. */
export async function markSubmitted(
  tx: Tx,
  merchantId: Id<"merchant">,
  ids: readonly string[],
  { now, job }: { readonly now: Instant; readonly job: { readonly kind: string; readonly due: Instant } },
): Promise<void> {
  await tx.rows(MARK_SUBMITTED, [merchantId, ids, at(now), job.kind, at(job.due)]);
}

/** How many debits of a batch the bank has, and how many it should still get. */
export async function countSent(
  tx: Tx,
  merchantId: Id<"merchant">,
  batchId: Id<"debitBatch">,
): Promise<{ readonly sent: number; readonly unsent: number }> {
  const [count] = await tx.rows<{ sent: number; unsent: number }>(COUNT_SENT, [merchantId, batchId]);
  return count ?? { sent: 0, unsent: 0 };
}

export async function markUnsent(tx: Tx, merchantId: Id<"merchant">, id: Id<"transaction">): Promise<void> {
  await tx.rows(MARK_UNSENT, [merchantId, id]);
}

export async function closeDebit(
  tx: Tx,
  merchantId: Id<"merchant">,
  id: Id<"transaction">,
  now: Instant,
): Promise<void> {
  await tx.rows(CLOSE, [merchantId, id, at(now)]);
}

/** Every debit of a batch, whatever its outcome. */
export async function listBatch(
  tx: Tx,
  merchantId: Id<"merchant">,
  batchId: Id<"debitBatch">,
): Promise<readonly DebitToSend[]> {
  return (await tx.rows<ToSendRow>(LIST_BATCH, [merchantId, batchId])).map(toSendOf);
}

export async function findBatch(
  tx: Tx,
  merchantId: Id<"merchant">,
  batchId: Id<"debitBatch">,
): Promise<Batch | undefined> {
  const [batch] = await tx.rows<Batch>(FIND_BATCH, [merchantId, batchId]);
  return batch;
}

export async function lockBatch(
  tx: Tx,
  merchantId: Id<"merchant">,
  batchId: Id<"debitBatch">,
): Promise<Batch | undefined> {
  const [batch] = await tx.rows<Batch>(LOCK_BATCH, [merchantId, batchId]);
  return batch;
}

export async function updateBatch(tx: Tx, batch: Batch): Promise<void> {
  const { merchantId, id, status, attempts, submittingSince, processingDay, day } = batch;
  const since = submittingSince === null ? null : at(submittingSince);
  await tx.rows(UPDATE_BATCH, [merchantId, id, status, attempts, since, processingDay, day]);
}
