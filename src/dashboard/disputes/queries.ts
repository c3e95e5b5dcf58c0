import type { DisputeStatus } from "../../features/disputes/index.ts";
import type { Currency } from "../../kernel/money.ts";
import type { Instant } from "../../kernel/time.ts";
import { type ChangingRow, equal, type Listing, METADATA, shared } from "../shell/lists/listing.ts";

export type DisputeRow = ChangingRow & {
  readonly transactionId: string;
  readonly reference: string;
  readonly reason: string;
  readonly status: DisputeStatus;
  readonly amount: number;
  readonly currency: Currency;
  readonly evidenceDueAt: Instant;
};

export const DISPUTES: Listing<DisputeRow> = {
  name: "disputes",
  noun: "dispute",
  table: "disputes",
  columns: `id, transaction_id as "transactionId", reference, reason, status, amount, currency,
    evidence_due_at as "evidenceDueAt", created_at as "createdAt", updated_at as "updatedAt"`,
  filters: {
    status: shared("status", "s"),
    transaction: equal("transaction_id", "t", true),
    reference: equal("reference", "r", true),
    metadata: METADATA,
  },
  search: { reference: "reference = ?", amount: "amount = ?" },
  sorts: { amount: "amount", reference: "reference" },
  sums: { Amount: "amount" },
};
