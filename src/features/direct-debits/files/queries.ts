import type { Id } from "../../../kernel/ids.ts";
import type { Cents } from "../../../kernel/money.ts";
import type { Instant } from "../../../kernel/time.ts";
import { at, sql, type Tx } from "../../../platform/db/database.ts";
import type { Batch } from "../direct-debit.ts";

const LIST_FILES = sql(
  "debit_batch_list_files",
  `select b.id, b.merchant_id as "merchantId", b.rail, b.currency, b.day::text as day, b.debits, b.total,
     b.created_at as "createdAt", not exists (
       select from debits d where d.merchant_id = b.merchant_id and d.batch_id = b.id and d.submitted_at is null
         and d.closed_at is null) as written
   from debit_batches b where b.merchant_id = $1 and b.rail = 'file' order by b.id desc limit $2`,
);

const FIND_BY_REFERENCE = sql(
  "debit_find_by_reference",
  `select t.id, t.amount from debits d
   join transactions t on t.merchant_id = d.merchant_id and t.id = d.transaction_id
   where d.merchant_id = $1 and d.bank_reference = $2`,
);

const FIND_FILE = sql(
  "debit_returns_file_find",
  "select items from debit_returns_files where merchant_id = $1 and hash = $2",
);

const INSERT_FILE = sql(
  "debit_returns_file_insert",
  `insert into debit_returns_files (merchant_id, hash, items, read_at) values ($1, $2, $3, $4) on conflict do nothing`,
);

/** The newest batches that go to banks as files, and whether each file is complete. */
export async function listFiles(
  tx: Tx,
  merchantId: Id<"merchant">,
  atMost: number,
): Promise<readonly (Batch & { readonly written: boolean })[]> {
  return tx.rows<Batch & { written: boolean }>(LIST_FILES, [merchantId, atMost]);
}

/** The debit with that reference at the bank. */
export async function findByReference(
  tx: Tx,
  merchantId: Id<"merchant">,
  reference: string,
): Promise<{ readonly id: Id<"transaction">; readonly amount: Cents } | undefined> {
  const [found] = await tx.rows<{ id: Id<"transaction">; amount: Cents }>(FIND_BY_REFERENCE, [
    merchantId,
    reference,
  ]);
  return found;
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
