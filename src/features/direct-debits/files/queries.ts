import { type Id, idFloor } from "../../../kernel/ids.ts";
import type { Cents, Currency } from "../../../kernel/money.ts";
import type { Instant } from "../../../kernel/time.ts";
import { at, sql, type Tx } from "../../../platform/db/database.ts";
import type { Batch } from "../direct-debit.ts";
import { BATCH_COLUMNS } from "../queries.ts";

const LIST_FILES = sql(
  "debit_batch_list_files",
  `select ${BATCH_COLUMNS} from debit_batches where merchant_id = $1 and rail = 'file' order by id desc limit $2`,
);

const LIST_UNWRITTEN = sql(
  "debit_batch_list_unwritten",
  `select id from debit_batches where merchant_id = $1 and rail = 'file' and status = 'made' order by id limit $2`,
);

const MOVE_DEBITS = sql(
  "debit_move",
  "update debits set batch_id = $2 where merchant_id = $1 and transaction_id = any ($3::text[])",
);

const RESIZE_BATCH = sql(
  "debit_batch_resize",
  "update debit_batches set debits = $3, total = $4 where merchant_id = $1 and id = $2",
);

const OF_OPERATOR = { fanOut: "the operator sees the files of all merchants" };

const COUNT_UNCONFIRMED = sql(
  "debit_batch_count_unconfirmed",
  `select count(*) as count from (
     select 1 from debit_batches where rail = 'file' and status in ('made', 'written') and created_at < $1 limit $2
   ) as unconfirmed`,
  OF_OPERATOR,
);

const COUNT_WAITING_SINCE = sql(
  "debit_count_waiting_since",
  `select count(*) as count from (select 1 from waiting_debits where transaction_id < $1 limit $2) as waiting`,
  OF_OPERATOR,
);

const COUNT_WAITING = sql(
  "debit_count_waiting",
  `select count(*) as count from (
     select 1 from waiting_debits where merchant_id = $1 and currency = $2 limit $3) as waiting`,
);

const FIND_BY_REFERENCE = sql(
  "debit_find_by_reference",
  `select t.id, t.amount, d.batch_id as "batchId" from debits d
   join transactions t on t.merchant_id = d.merchant_id and t.id = d.transaction_id
   where d.merchant_id = $1 and d.bank_reference = $2`,
);

const LIST_FILED = sql(
  "debit_list_filed",
  `select t.id, t.amount, t.status, d.bank_reference as reference from debits d
   join transactions t on t.merchant_id = d.merchant_id and t.id = d.transaction_id
   where d.merchant_id = $1 and d.batch_id = $2`,
);

type FoundDebit = {
  readonly id: Id<"transaction">;
  readonly amount: Cents;
  readonly batchId: Id<"debitBatch">;
};

export type FiledDebit = Omit<FoundDebit, "batchId"> & {
  readonly status: "pending" | "approved" | "declined";
  readonly reference: string;
};

const FIND_FILE = sql(
  "debit_returns_file_find",
  "select items from debit_returns_files where merchant_id = $1 and hash = $2",
);

const INSERT_FILE = sql(
  "debit_returns_file_insert",
  `insert into debit_returns_files (merchant_id, hash, items, read_at) values ($1, $2, $3, $4) on conflict do nothing`,
);

/** The newest batches that go to banks as files. */
export async function listFiles(
  tx: Tx,
  merchantId: Id<"merchant">,
  atMost: number,
): Promise<readonly Batch[]> {
  return tx.rows<Batch>(LIST_FILES, [merchantId, atMost]);
}

/** Puts debits of another batch into this one. */
export async function moveDebits(
  tx: Tx,
  { merchantId, id }: Batch,
  ids: readonly Id<"transaction">[],
): Promise<void> {
  await tx.rows(MOVE_DEBITS, [merchantId, id, ids]);
}

export async function resizeBatch(tx: Tx, { merchantId, id, debits, total }: Batch): Promise<void> {
  await tx.rows(RESIZE_BATCH, [merchantId, id, debits, total]);
}

/** Batches whose file was never written, oldest first. */
export async function listUnwritten(
  tx: Tx,
  merchantId: Id<"merchant">,
  atMost: number,
): Promise<readonly Id<"debitBatch">[]> {
  const rows = await tx.rows<{ id: Id<"debitBatch"> }>(LIST_UNWRITTEN, [merchantId, atMost]);
  return rows.map(({ id }) => id);
}

/** How many files were made before a moment, and were never written or no operator has confirmed that the bank has them. */
export async function countUnconfirmed(tx: Tx, before: Instant, atMost: number): Promise<number> {
  const [row] = await tx.rows<{ count: number }>(COUNT_UNCONFIRMED, [at(before), atMost]);
  return row?.count ?? 0;
}

/** How many debits of all merchants are older than a moment and in no batch. */
export async function countWaitingSince(tx: Tx, before: Instant, atMost: number): Promise<number> {
  const floor = idFloor("transaction", before);
  const [row] = await tx.rows<{ count: number }>(COUNT_WAITING_SINCE, [floor, atMost]);
  return row?.count ?? 0;
}

/** How many debits are in no batch. */
export async function countWaiting(
  tx: Tx,
  merchantId: Id<"merchant">,
  currency: Currency,
  atMost: number,
): Promise<number> {
  const [row] = await tx.rows<{ count: number }>(COUNT_WAITING, [merchantId, currency, atMost]);
  return row?.count ?? 0;
}

/** The debit with that reference at the bank. */
export async function findByReference(
  tx: Tx,
  merchantId: Id<"merchant">,
  reference: string,
): Promise<FoundDebit | undefined> {
  const [found] = await tx.rows<FoundDebit>(FIND_BY_REFERENCE, [merchantId, reference]);
  return found;
}

/** The debits of a file, with what has become of them. */
export async function listFiled(
  tx: Tx,
  merchantId: Id<"merchant">,
  batchId: Id<"debitBatch">,
): Promise<readonly FiledDebit[]> {
  return tx.rows<FiledDebit>(LIST_FILED, [merchantId, batchId]);
}

/** Whether a returns file with these bytes was imported before. */
export async function wasRead(tx: Tx, merchantId: Id<"merchant">, hash: Uint8Array): Promise<boolean> {
  return (await tx.rows(FIND_FILE, [merchantId, hash])).length > 0;
}

export async function markRead(
  tx: Tx,
  merchantId: Id<"merchant">,
  { hash, items }: { readonly hash: Uint8Array; readonly items: number },
  now: Instant,
): Promise<void> {
  await tx.rows(INSERT_FILE, [merchantId, hash, items, at(now)]);
}
