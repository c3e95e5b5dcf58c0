import { OUTCOMES, outcomeOf } from "../../../kernel/codes/outcomes.ts";
import type { Id } from "../../../kernel/ids.ts";
import type { Instant } from "../../../kernel/time.ts";
import { at, sql, type Tx } from "../../../platform/db/database.ts";
import type { Operation } from "./operation.ts";

const INSERT_OPERATION = sql(
  "operation_insert",
  `insert into transaction_operations (merchant_id, id, transaction_id, kind, amount, status, created_at, reference)
   values ($1, $2, $3, $4, $5, $6, $7, $8)`,
);

const OPERATION_COLUMNS = `id, merchant_id as "merchantId", transaction_id as "transactionId", kind, amount, status,
  code, reference`;

/** Outcomes are stored by number. */
type Row = Omit<Operation, "code"> & { readonly code: string | null };

const operationOf = (row: Row): Operation => ({
  ...row,
  code: row.code === null ? null : outcomeOf(row.code),
});

const FIND_TEXT = `select ${OPERATION_COLUMNS} from transaction_operations where merchant_id = $1 and id = $2`;
const FIND_OPERATION = sql("operation_find", FIND_TEXT);
const LOCK_OPERATION = sql("operation_lock", `${FIND_TEXT} for update`);

const FIND_PENDING_OPERATION = sql(
  "operation_find_pending",
  `select ${OPERATION_COLUMNS} from transaction_operations
   where merchant_id = $1 and transaction_id = $2 and status = 'pending'`,
);

const FIND_REFUSED_EXPIRIES = sql(
  "operation_find_refused_expiries",
  `select min(created_at) as first, max(created_at) as last from transaction_operations
   where merchant_id = $1 and transaction_id = $2 and kind = 'expire' and status = 'refused' having count(*) > 0`,
);

/** Releases an authorisation that was not captured in time. It follows an operation that is unfinished. */
export const EXPIRE_AUTHORISATION_JOB = "transaction_expire";

const FOLLOW_BY_EXPIRY = sql(
  "operation_follow_by_expiry",
  "update transaction_operations set followed_by_expiry = true where merchant_id = $1 and id = $2",
);

const UPDATE_OPERATION = sql(
  "operation_update",
  "update transaction_operations set status = $3, code = $4 where merchant_id = $1 and id = $2",
);

export async function insertOperation(tx: Tx, one: Operation, now: Instant): Promise<void> {
  const { merchantId, id, transactionId, kind, amount, status, reference } = one;
  await tx.rows(INSERT_OPERATION, [merchantId, id, transactionId, kind, amount, status, at(now), reference]);
}

export async function findOperation(
  tx: Tx,
  merchantId: Id<"merchant">,
  id: Id<"operation">,
): Promise<Operation | undefined> {
  const [row] = await tx.rows<Row>(FIND_OPERATION, [merchantId, id]);
  return row && operationOf(row);
}

export async function lockOperation(
  tx: Tx,
  merchantId: Id<"merchant">,
  id: Id<"operation">,
): Promise<Operation | undefined> {
  const [row] = await tx.rows<Row>(LOCK_OPERATION, [merchantId, id]);
  return row && operationOf(row);
}

export async function findPendingOperation(
  tx: Tx,
  merchantId: Id<"merchant">,
  transactionId: Id<"transaction">,
): Promise<Operation | undefined> {
  const [row] = await tx.rows<Row>(FIND_PENDING_OPERATION, [merchantId, transactionId]);
  return row && operationOf(row);
}

/** When the acquirer was first and last asked to release the hold, and declined; undefined if it never was. */
export async function findRefusedExpiries(
  tx: Tx,
  merchantId: Id<"merchant">,
  transactionId: Id<"transaction">,
): Promise<{ readonly first: Instant; readonly last: Instant } | undefined> {
  const [tries] = await tx.rows<{ first: Instant; last: Instant }>(FIND_REFUSED_EXPIRIES, [
    merchantId,
    transactionId,
  ]);
  return tries;
}

export async function updateOperation(tx: Tx, one: Operation): Promise<void> {
  const { merchantId, id, status, code } = one;
  await tx.rows(UPDATE_OPERATION, [merchantId, id, status, code === null ? null : OUTCOMES[code]]);
}

/** The end of this operation writes the job that expires its authorisation, also if another node records it. */
export async function followByExpiry(tx: Tx, { merchantId, id }: Operation): Promise<void> {
  await tx.rows(FOLLOW_BY_EXPIRY, [merchantId, id]);
}
