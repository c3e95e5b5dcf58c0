import type { DisputeStatus } from "../../features/disputes/index.ts";
import type { Id } from "../../kernel/ids.ts";
import { type LateApproval, readLateApproval } from "../../kernel/late-approval.ts";
import type { Instant } from "../../kernel/time.ts";
import { sql, type Tx } from "../../platform/db/database.ts";

const ATTEMPTS_SHOWN = 100;

const TRANSACTIONS_OF_REQUEST = sql(
  "dashboard_transactions_of_request",
  `select id from transactions where merchant_id = $1 and payment_request_id = $2 order by id desc limit ${ATTEMPTS_SHOWN}`,
);

const REFUNDS = sql(
  "dashboard_refunds_of_transactions",
  `select id, transaction_id as "transactionId", reference, amount, currency, status, code, created_at as "createdAt",
     updated_at as "updatedAt", late_approval as "lateApproval"
   from refunds where merchant_id = $1 and transaction_id = any ($2::text[]) order by id desc limit 200`,
);

const TRANSACTION_OF_REFUND = sql(
  "dashboard_transaction_of_refund",
  `select id, transaction_id as "transactionId" from refunds where merchant_id = $1 and id = $2`,
);

const TOKENS = sql(
  "dashboard_tokens_of_request",
  `select id, status, created_at as "createdAt", expires_at as "expiresAt", transaction_id as "transactionId"
   from one_time_tokens where merchant_id = $1 and payment_request_id = $2 order by created_at desc limit 50`,
);

const TRANSFERS = sql(
  "dashboard_transfers_of_request",
  `select id, amount, payer_name as "payerName", status, reason, received_at as "receivedAt"
   from incoming_transfers where merchant_id = $1 and payment_request_id = $2 order by id desc limit 100`,
);

const LINES = sql(
  "dashboard_lines_of_transactions",
  `select kind, subject_id as "subjectId", transaction_id as "transactionId", currency, amount, at,
     payout_id as "payoutId"
   from payout_lines where merchant_id = $1 and kind = any ('{payment,refund,return,fee,dispute,dispute_won}')
     and subject_id = any ($2::text[]) order by at desc`,
);

const DISPUTES = sql(
  "dashboard_disputes_of_transactions",
  `select id, amount, reason, status, created_at as "createdAt", updated_at as "updatedAt"
   from disputes where merchant_id = $1 and transaction_id = any ($2::text[]) order by id desc limit 100`,
);

const OPERATIONS = sql(
  "dashboard_operations_of_transactions",
  `select transaction_id as "transactionId", kind, amount, status, code, created_at as "createdAt"
   from transaction_operations
   where merchant_id = $1 and transaction_id = any ($2::text[]) and (status <> 'done' or kind = 'reverse') order by id desc limit 100`,
);

export type OperationFacts = {
  readonly transactionId: string;
  readonly kind: "capture" | "void" | "expire" | "reverse";
  readonly amount: number;
  readonly status: "pending" | "done" | "refused";
  readonly code: string | null;
  readonly createdAt: Instant;
};

export type RefundFacts = {
  readonly id: Id<"refund">;
  readonly transactionId: Id<"transaction">;
  readonly reference: string;
  readonly amount: number;
  readonly currency: string;
  readonly status: string;
  readonly code: string | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly lateApproval: LateApproval | null;
};

export type DisputeFacts = {
  readonly id: Id<"dispute">;
  readonly amount: number;
  readonly reason: string;
  readonly status: DisputeStatus;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
};

export type TokenFacts = {
  readonly id: string;
  readonly status: "created" | "initialised" | "processed";
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
  readonly transactionId: string | null;
};

export type TransferFacts = {
  readonly id: string;
  readonly amount: number;
  readonly payerName: string | null;
  readonly status: string;
  readonly reason: string | null;
  readonly receivedAt: Instant;
};

export type LineFacts = {
  readonly kind: "payment" | "refund" | "return" | "fee" | "dispute" | "dispute_won";
  readonly subjectId: string;
  readonly transactionId: string;
  readonly currency: string;
  readonly amount: number;
  readonly at: Instant;
  readonly payoutId: string | null;
};

export async function transactionsOfRequest(
  tx: Tx,
  merchantId: Id<"merchant">,
  request: string,
): Promise<readonly Id<"transaction">[]> {
  const rows = await tx.rows<{ id: Id<"transaction"> }>(TRANSACTIONS_OF_REQUEST, [merchantId, request]);
  return rows.map(({ id }) => id);
}

export async function refundsOf(
  tx: Tx,
  merchantId: Id<"merchant">,
  ids: readonly string[],
): Promise<readonly RefundFacts[]> {
  const rows = await tx.rows<Omit<RefundFacts, "lateApproval"> & { lateApproval: string | null }>(REFUNDS, [
    merchantId,
    ids,
  ]);
  return rows.map((row) => ({ ...row, lateApproval: readLateApproval(row.lateApproval) }));
}

export async function disputesOf(
  tx: Tx,
  merchantId: Id<"merchant">,
  ids: readonly string[],
): Promise<readonly DisputeFacts[]> {
  return tx.rows<DisputeFacts>(DISPUTES, [merchantId, ids]);
}

export async function transactionOfRefund(
  tx: Tx,
  merchantId: Id<"merchant">,
  id: Id<"refund">,
): Promise<Pick<RefundFacts, "id" | "transactionId"> | undefined> {
  const [row] = await tx.rows<Pick<RefundFacts, "id" | "transactionId">>(TRANSACTION_OF_REFUND, [
    merchantId,
    id,
  ]);
  return row;
}

export async function tokensOf(
  tx: Tx,
  merchantId: Id<"merchant">,
  request: string,
): Promise<readonly TokenFacts[]> {
  return tx.rows<TokenFacts>(TOKENS, [merchantId, request]);
}

export async function transfersOf(
  tx: Tx,
  merchantId: Id<"merchant">,
  request: string,
): Promise<readonly TransferFacts[]> {
  return tx.rows<TransferFacts>(TRANSFERS, [merchantId, request]);
}

export async function linesOf(
  tx: Tx,
  merchantId: Id<"merchant">,
  ids: readonly string[],
): Promise<readonly LineFacts[]> {
  return tx.rows<LineFacts>(LINES, [merchantId, ids]);
}

/** Operations that the acquirer has not answered or has declined, and reversals of late approvals. */
export async function operationsOf(
  tx: Tx,
  merchantId: Id<"merchant">,
  ids: readonly string[],
): Promise<readonly OperationFacts[]> {
  return tx.rows<OperationFacts>(OPERATIONS, [merchantId, ids]);
}
