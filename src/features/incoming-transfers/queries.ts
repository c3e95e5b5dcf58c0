import type { Id } from "../../kernel/ids.ts";
import type { Mode } from "../../kernel/mode.ts";
import { at, sql, type Tx } from "../../platform/db/database.ts";
import type { IncomingTransfer, TransferStatus } from "./incoming-transfer.ts";

const COLUMNS = `id, mode, message, payid as "payId", amount, payer_name as "payerName", merchant_id as "merchantId",
  payment_request_id as "paymentRequestId", status, reason, transaction_id as "transactionId",
  received_at as "receivedAt"`;

const INSERT = sql(
  "incoming_transfer_insert",
  `insert into incoming_transfers
     (id, mode, message, payid, amount, payer_name, merchant_id, payment_request_id, status, reason, transaction_id,
      received_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
);

const FIND = sql("incoming_transfer_find", `select ${COLUMNS} from incoming_transfers where id = $1`);

const FIND_MESSAGE = sql(
  "incoming_transfer_find_message",
  `select ${COLUMNS} from incoming_transfers where mode = $1 and message = $2`,
);

const UPDATE_RETURNING = sql(
  "incoming_transfer_update_returning",
  "update incoming_transfers set status = $2 where id = $1 and status = 'returning'",
);

const LIST_UNMATCHED = sql(
  "incoming_transfer_list_astray",
  `select ${COLUMNS} from incoming_transfers where payment_request_id is null or status = 'return_refused'
   order by id desc limit $1`,
);

/** The unique index that makes a message count once. */
export const ONE_PER_MESSAGE = "incoming_transfers_mode_message_key";

export async function insertTransfer(tx: Tx, one: IncomingTransfer): Promise<void> {
  await tx.rows(INSERT, [
    one.id,
    one.mode,
    one.message,
    one.payId,
    one.amount,
    one.payerName,
    one.merchantId,
    one.paymentRequestId,
    one.status,
    one.reason,
    one.transactionId,
    at(one.receivedAt),
  ]);
}

/** By its id alone: a transfer may have no merchant. */
export async function findTransfer(
  tx: Tx,
  id: Id<"incomingTransfer">,
): Promise<IncomingTransfer | undefined> {
  const [row] = await tx.rows<IncomingTransfer>(FIND, [id]);
  return row;
}

export async function findTransferOfMessage(
  tx: Tx,
  mode: Mode,
  message: string,
): Promise<IncomingTransfer | undefined> {
  const [row] = await tx.rows<IncomingTransfer>(FIND_MESSAGE, [mode, message]);
  return row;
}

/** Does nothing to a transfer whose return has already ended. */
export async function endReturning(
  tx: Tx,
  id: Id<"incomingTransfer">,
  status: TransferStatus,
): Promise<void> {
  await tx.rows(UPDATE_RETURNING, [id, status]);
}

/** For the operator, newest first: transfers without a payment request, and those whose return the rail refused. */
export async function listUnmatchedTransfers(tx: Tx, limit: number): Promise<readonly IncomingTransfer[]> {
  return tx.rows<IncomingTransfer>(LIST_UNMATCHED, [limit]);
}
