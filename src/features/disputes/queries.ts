import type { Id } from "../../kernel/ids.ts";
import { at, sql, type Tx } from "../../platform/db/database.ts";
import { listRows } from "../../platform/db/list-rows.ts";
import { metadataValue, readMetadata } from "../../platform/db/metadata-pairs.ts";
import type { Page } from "../../platform/http/lists.ts";
import { DISPUTE_STATUSES, type Dispute } from "./dispute.ts";

const COLUMNS = `id, merchant_id as "merchantId", transaction_id as "transactionId", case_reference as "caseReference", reference, reason, amount, currency,
  metadata, status, evidence, evidence_at as "evidenceAt", evidence_due_at as "evidenceDueAt", created_at as "createdAt",
  updated_at as "updatedAt"`;

type Row = Omit<Dispute, "metadata"> & { readonly metadata: string | null };

const disputeOf = (row: Row): Dispute => ({ ...row, metadata: readMetadata(row.metadata) });

const INSERT = sql(
  "dispute_insert",
  `insert into disputes (merchant_id, id, transaction_id, reference, reason, amount, currency, status, evidence_due_at,
     metadata, created_at, updated_at, case_reference)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11, $12)`,
);

const FIND = sql("dispute_find", `select ${COLUMNS} from disputes where merchant_id = $1 and id = $2`);
const LOCK = sql(
  "dispute_lock",
  `select ${COLUMNS} from disputes where merchant_id = $1 and id = $2 for update`,
);
/**
 * The dispute of a payment by its case. One without a name may be any case; a notice without a name is about the dispute that
 * is open, or about the latest.
 */
const FIND_OF_TRANSACTION = sql(
  "dispute_find_of_transaction",
  `select ${COLUMNS} from disputes where merchant_id = $1 and transaction_id = $2
     and ($3::text is null or case_reference is null or case_reference = $3)
   order by case_reference is not distinct from $3 desc, status in ('won', 'lost', 'accepted'), id desc limit 1`,
);
const NAME_CASE = sql(
  "dispute_name_case",
  `update disputes set case_reference = $3 where merchant_id = $1 and id = $2 and case_reference is null returning 1`,
);

const UPDATE = sql(
  "dispute_update",
  `update disputes set status = $3, evidence = $4, evidence_at = $5, updated_at = $6, evidence_due_at = $7
   where merchant_id = $1 and id = $2`,
);

export async function insertDispute(tx: Tx, one: Dispute): Promise<void> {
  await tx.rows(INSERT, [
    one.merchantId,
    one.id,
    one.transactionId,
    one.reference,
    one.reason,
    one.amount,
    one.currency,
    one.status,
    at(one.evidenceDueAt),
    metadataValue(one.metadata),
    at(one.createdAt),
    one.caseReference,
  ]);
}

export async function findDispute(
  tx: Tx,
  merchantId: Id<"merchant">,
  id: Id<"dispute">,
): Promise<Dispute | undefined> {
  const [row] = await tx.rows<Row>(FIND, [merchantId, id]);
  return row && disputeOf(row);
}

/** Holds the dispute's row until the database transaction ends. */
export async function lockDispute(
  tx: Tx,
  merchantId: Id<"merchant">,
  id: Id<"dispute">,
): Promise<Dispute | undefined> {
  const [row] = await tx.rows<Row>(LOCK, [merchantId, id]);
  return row && disputeOf(row);
}

export async function findDisputeOf(
  tx: Tx,
  merchantId: Id<"merchant">,
  transactionId: Id<"transaction">,
  caseReference: string | undefined,
): Promise<Dispute | undefined> {
  const [row] = await tx.rows<Row>(FIND_OF_TRANSACTION, [merchantId, transactionId, caseReference ?? null]);
  return row && disputeOf(row);
}

/** False when it has a name already. */
export async function nameCase(tx: Tx, { merchantId, id }: Dispute, caseReference: string): Promise<boolean> {
  return (await tx.rows(NAME_CASE, [merchantId, id, caseReference])).length > 0;
}

export async function updateDispute(tx: Tx, one: Dispute): Promise<void> {
  const evidenceAt = one.evidenceAt === null ? null : at(one.evidenceAt);
  await tx.rows(UPDATE, [
    one.merchantId,
    one.id,
    one.status,
    one.evidence,
    evidenceAt,
    at(one.updatedAt),
    at(one.evidenceDueAt),
  ]);
}

export type DisputeFilters = {
  readonly transaction_id?: string | undefined;
  readonly status?: string | undefined;
  /** A pair of metadata, as `pairText` writes it. */
  readonly pair?: string | undefined;
};

export async function listDisputes(
  tx: Tx,
  merchantId: Id<"merchant">,
  page: Page,
  { pair, ...filters }: DisputeFilters,
): Promise<readonly Dispute[]> {
  const listing = { name: "dispute", table: "disputes", columns: COLUMNS, statuses: DISPUTE_STATUSES };
  return (await listRows<Row>(tx, listing, merchantId, { page, filters, pair })).map(disputeOf);
}
