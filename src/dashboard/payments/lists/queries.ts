import type { Currency } from "../../../kernel/money.ts";
import type { Instant } from "../../../kernel/time.ts";
import { type ChangingRow, equal, type Listing, METADATA } from "../../shell/lists/queries.ts";

export type RequestRow = ChangingRow & {
  readonly reference: string;
  readonly status: string;
  readonly flow: string;
  readonly amount: number;
  readonly currency: Currency;
  readonly expiresAt: Instant;
};

export const REQUESTS: Listing<RequestRow> = {
  name: "requests",
  noun: "paymentRequest",
  table: "payment_requests",
  columns: `id, reference, status, flow, amount, currency, expires_at as "expiresAt", created_at as "createdAt", updated_at as "updatedAt"`,
  filters: {
    status: equal("status", "s", true),
    reference: equal("reference", "r", true),
    flow: equal("flow", "f", false),
    amount: equal("amount", "a", false),
    metadata: METADATA,
  },
};

export type TransactionRow = ChangingRow & {
  readonly reference: string;
  readonly paymentRequestId: string | null;
  readonly status: string;
  readonly code: string | null;
  readonly source: string;
  readonly captureStatus: string | null;
  readonly amount: number;
  readonly total: number;
  readonly refunded: number;
  readonly currency: Currency;
  readonly last4: string | null;
  readonly cardType: string | null;
};

export const TRANSACTIONS: Listing<TransactionRow> = {
  name: "transactions",
  noun: "transaction",
  table: "transactions",
  columns: `id, reference, payment_request_id as "paymentRequestId", status, code, source, amount, amount + surcharge as total,
    capture_status as "captureStatus", refunded, currency, card ->> 'last4' as last4, card ->> 'cardType' as "cardType",
    created_at as "createdAt", updated_at as "updatedAt"`,
  filters: {
    status: equal("status", "s", true),
    reference: equal("reference", "r", true),
    customer: equal("customer_id", "c", true),
    source: equal("source", "o", false),
    capture: equal("capture_status", "t", false),
    amount: equal("amount + surcharge", "a", false),
    last4: equal("card ->> 'last4'", "l", false),
    code: equal("code", "d", false),
    metadata: METADATA,
  },
};

export type RefundRow = ChangingRow & {
  readonly reference: string;
  readonly transactionId: string;
  readonly status: string;
  readonly code: string | null;
  readonly amount: number;
  readonly currency: Currency;
};

export const REFUNDS: Listing<RefundRow> = {
  name: "refunds",
  noun: "refund",
  table: "refunds",
  columns: `id, reference, transaction_id as "transactionId", status, code, amount, currency, created_at as "createdAt", updated_at as "updatedAt"`,
  filters: {
    status: equal("status", "s", true),
    reference: equal("reference", "r", true),
    amount: equal("amount", "a", false),
    metadata: METADATA,
  },
};
