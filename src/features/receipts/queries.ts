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

const KEEP_LANGUAGE = sql(
  "receipt_keep_language",
  "update transactions set payers_language = $3 where merchant_id = $1 and id = $2",
);

const FIND_LANGUAGE = sql(
  "receipt_find_language",
  `select payers_language as language from transactions where merchant_id = $1 and id = $2`,
);

export async function updateLanguage(
  tx: Tx,
  merchantId: Id<"merchant">,
  transactionId: Id<"transaction">,
  language: string,
): Promise<void> {
  await tx.rows(KEEP_LANGUAGE, [merchantId, transactionId, language]);
}

/** The language of the page on which the payer paid, if it is another than the payment request's. */
export async function findPayersLanguage(
  tx: Tx,
  merchantId: Id<"merchant">,
  transactionId: Id<"transaction">,
): Promise<string | undefined> {
  const [row] = await tx.rows<{ language: string | null }>(FIND_LANGUAGE, [merchantId, transactionId]);
  return row?.language ?? undefined;
}

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
