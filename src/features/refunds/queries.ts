import { OUTCOMES, outcomeOf } from "../../kernel/codes/outcomes.ts";
import type { Id } from "../../kernel/ids.ts";
import { lateApprovalValue, readLateApproval } from "../../kernel/late-approval.ts";
import type { Instant } from "../../kernel/time.ts";
import { at, sql, type Tx } from "../../platform/db/database.ts";
import { listRows } from "../../platform/db/list-rows.ts";
import { metadataValue, readMetadata } from "../../platform/db/metadata-pairs.ts";
import type { Page } from "../../platform/http/lists.ts";
import { REFUND_STATUSES, type Refund } from "./refund.ts";

const COLUMNS = `id, merchant_id as "merchantId", transaction_id as "transactionId", reference, amount, currency, status,
  code, metadata, late_approval as "lateApproval", created_at as "createdAt", updated_at as "updatedAt"`;

/** Outcomes are stored by number. */
type Row = Omit<Refund, "code" | "metadata" | "lateApproval"> & {
  readonly code: string | null;
  readonly metadata: string | null;
  readonly lateApproval: string | null;
};

const refundOf = (row: Row): Refund => ({
  ...row,
  code: row.code === null ? null : outcomeOf(row.code),
  metadata: readMetadata(row.metadata),
  lateApproval: readLateApproval(row.lateApproval),
});

const INSERT = sql(
  "refund_insert",
  `insert into refunds
     (merchant_id, id, transaction_id, reference, amount, currency, status, metadata, created_at, updated_at, sent_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9, null)`,
);

const FIND = sql("refund_find", `select ${COLUMNS} from refunds where merchant_id = $1 and id = $2`);
const LOCK = sql(
  "refund_lock",
  `select ${COLUMNS} from refunds where merchant_id = $1 and id = $2 for update`,
);

const UPDATE = sql(
  "refund_update",
  "update refunds set status = $3, code = $4, updated_at = $5 where merchant_id = $1 and id = $2",
);

const MARK_SENT = sql(
  "refund_mark_sent",
  "update refunds set sent_at = coalesce(sent_at, $3) where merchant_id = $1 and id = $2",
);

const WAS_SENT = sql(
  "refund_was_sent",
  `select sent_at is not null as "wasSent" from refunds where merchant_id = $1 and id = $2`,
);

const UPDATE_LATE_APPROVAL = sql(
  "refund_update_late_approval",
  "update refunds set late_approval = $3, updated_at = $4 where merchant_id = $1 and id = $2",
);

const LIST_PENDING = sql(
  "refund_list_pending",
  `select ${COLUMNS} from refunds
   where merchant_id = $1 and status = 'pending' and id > $2 order by id limit $3`,
);

/** Pending refunds, ordered by id. */
export async function listPending(
  tx: Tx,
  merchantId: Id<"merchant">,
  after: string,
  limit: number,
): Promise<readonly Refund[]> {
  return (await tx.rows<Row>(LIST_PENDING, [merchantId, after, limit])).map(refundOf);
}

export async function insertRefund(tx: Tx, refund: Refund): Promise<void> {
  const { merchantId, id, transactionId, reference, amount, currency, status, createdAt } = refund;
  const facts = [merchantId, id, transactionId, reference, amount, currency, status];
  await tx.rows(INSERT, [...facts, metadataValue(refund.metadata), at(createdAt)]);
}

export async function findRefund(
  tx: Tx,
  merchantId: Id<"merchant">,
  id: Id<"refund">,
): Promise<Refund | undefined> {
  const [row] = await tx.rows<Row>(FIND, [merchantId, id]);
  return row && refundOf(row);
}

export async function lockRefund(
  tx: Tx,
  merchantId: Id<"merchant">,
  id: Id<"refund">,
): Promise<Refund | undefined> {
  const [row] = await tx.rows<Row>(LOCK, [merchantId, id]);
  return row && refundOf(row);
}

export async function updateRefund(tx: Tx, refund: Refund): Promise<void> {
  const { merchantId, id, status, code, updatedAt } = refund;
  await tx.rows(UPDATE, [merchantId, id, status, code === null ? null : OUTCOMES[code], at(updatedAt)]);
}

export async function updateLateApproval(tx: Tx, refund: Refund): Promise<void> {
  const { merchantId, id, lateApproval, updatedAt } = refund;
  await tx.rows(UPDATE_LATE_APPROVAL, [merchantId, id, lateApprovalValue(lateApproval), at(updatedAt)]);
}

/** Records that the refund is sent now, or keeps the time at which it was sent before. */
export async function markSent(
  tx: Tx,
  { merchantId, id }: Pick<Refund, "merchantId" | "id">,
  now: Instant,
): Promise<void> {
  await tx.rows(MARK_SENT, [merchantId, id, at(now)]);
}

export async function wasSent(
  tx: Tx,
  { merchantId, id }: Pick<Refund, "merchantId" | "id">,
): Promise<boolean> {
  const [row] = await tx.rows<{ wasSent: boolean }>(WAS_SENT, [merchantId, id]);
  return row?.wasSent === true;
}

export type RefundFilters = {
  readonly transaction_id?: string | undefined;
  readonly reference?: string | undefined;
  readonly status?: string | undefined;
  /** A pair of metadata, as `pairText` writes it. */
  readonly pair?: string | undefined;
};

export async function listRefunds(
  tx: Tx,
  merchantId: Id<"merchant">,
  page: Page,
  { pair, ...filters }: RefundFilters,
): Promise<readonly Refund[]> {
  const listing = { name: "refund", table: "refunds", columns: COLUMNS, statuses: REFUND_STATUSES };
  return (await listRows<Row>(tx, listing, merchantId, { page, filters, pair })).map(refundOf);
}
