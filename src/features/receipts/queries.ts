import type { Id } from "../../kernel/ids.ts";
import type { Instant } from "../../kernel/time.ts";
import { at, sql, type Tx } from "../../platform/db/database.ts";

const FIND = sql(
  "receipt_find",
  "select true as sent from receipts where merchant_id = $1 and transaction_id = $2",
);

const INSERT = sql(
  "receipt_insert",
  `insert into receipts (merchant_id, transaction_id, was_refused, sent_at) values ($1, $2, $3, $4)
   on conflict do nothing`,
);

/** Whether the receipt of this transaction needs no sending any more. */
export async function isSent(
  tx: Tx,
  merchantId: Id<"merchant">,
  transactionId: Id<"transaction">,
): Promise<boolean> {
  return (await tx.rows(FIND, [merchantId, transactionId])).length > 0;
}

export async function insertReceipt(
  tx: Tx,
  merchantId: Id<"merchant">,
  transactionId: Id<"transaction">,
  { wasRefused, sentAt }: { readonly wasRefused: boolean; readonly sentAt: Instant },
): Promise<void> {
  await tx.rows(INSERT, [merchantId, transactionId, wasRefused, at(sentAt)]);
}
