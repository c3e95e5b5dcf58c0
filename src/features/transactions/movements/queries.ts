import type { Id } from "../../../kernel/ids.ts";
import type { Instant } from "../../../kernel/time.ts";
import { at, sql, type Tx } from "../../../platform/db/database.ts";

/** A capture or a void on its way to the acquirer. */
export type Movement = {
  readonly id: Id<"movement">;
  readonly merchantId: Id<"merchant">;
  readonly transactionId: Id<"transaction">;
  readonly kind: "capture" | "void" | "expire";
  readonly amount: number;
  readonly status: "pending" | "done" | "refused";
};

const INSERT_MOVEMENT = sql(
  "movement_insert",
  `insert into transaction_movements (merchant_id, id, transaction_id, kind, amount, status, created_at)
   values ($1, $2, $3, $4, $5, 'pending', $6)`,
);

const MOVEMENT_COLUMNS = `id, merchant_id as "merchantId", transaction_id as "transactionId", kind, amount, status`;

const LOCK_MOVEMENT = sql(
  "movement_lock",
  `select ${MOVEMENT_COLUMNS} from transaction_movements where merchant_id = $1 and id = $2 for update`,
);

const FIND_PENDING_MOVEMENT = sql(
  "movement_find_pending",
  `select ${MOVEMENT_COLUMNS} from transaction_movements
   where merchant_id = $1 and transaction_id = $2 and status = 'pending'`,
);

const UPDATE_MOVEMENT = sql(
  "movement_update",
  "update transaction_movements set status = $3 where merchant_id = $1 and id = $2",
);

export async function insertMovement(tx: Tx, one: Movement, now: Instant): Promise<void> {
  await tx.rows(INSERT_MOVEMENT, [one.merchantId, one.id, one.transactionId, one.kind, one.amount, at(now)]);
}

export async function lockMovement(
  tx: Tx,
  merchantId: Id<"merchant">,
  id: Id<"movement">,
): Promise<Movement | undefined> {
  const [row] = await tx.rows<Movement>(LOCK_MOVEMENT, [merchantId, id]);
  return row;
}

export async function findPendingMovement(
  tx: Tx,
  merchantId: Id<"merchant">,
  transactionId: Id<"transaction">,
): Promise<Movement | undefined> {
  const [row] = await tx.rows<Movement>(FIND_PENDING_MOVEMENT, [merchantId, transactionId]);
  return row;
}

export async function updateMovement(tx: Tx, one: Movement, status: "done" | "refused"): Promise<void> {
  await tx.rows(UPDATE_MOVEMENT, [one.merchantId, one.id, status]);
}
