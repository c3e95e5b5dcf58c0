import type { Flow, PaymentRequest } from "../../../features/payment-requests/index.ts";
import type { Currency } from "../../../kernel/money.ts";
import type { Instant } from "../../../kernel/time.ts";
import { type ChangingRow, equal, type Listing, METADATA, shared } from "../../shell/lists/listing.ts";
import type { MoneyFacts } from "../payment-status.ts";
import { REQUESTS_BY_EMAIL, TRANSACTIONS_BY_EMAIL } from "./by-email/queries.ts";
import { REFUND_STATUS, REQUEST_STATUS, TRANSACTION_STATUS } from "./status-words.ts";

export type RequestRow = ChangingRow & {
  readonly reference: string;
  readonly status: PaymentRequest["status"];
  readonly flow: Flow;
  readonly amount: number;
  readonly currency: Currency;
  readonly expiresAt: Instant;
  /** `MoneyFacts` as JSON of the transaction that pays it: the approved one, or else a pending one. */
  readonly paidBy: string | null;
};

const MONEY = `json_build_object('status', t.status, 'method', t.method, 'captureStatus', t.capture_status,
  'amount', t.amount, 'surcharge', t.surcharge, 'captured', t.captured, 'refunded', t.refunded, 'disputed', t.disputed)`;

export const REQUESTS: Listing<RequestRow> = {
  name: "requests",
  noun: "paymentRequest",
  table: "payment_requests",
  columns: `shown.id, reference, shown.status, flow, amount, currency, expires_at as "expiresAt", created_at as "createdAt",
    updated_at as "updatedAt", payer.facts as "paidBy"`,
  beside: `left join lateral (
      select ${MONEY} as facts from transactions t where t.merchant_id = $1
        and t.id = shown.approved_transaction_id and shown.approved_transaction_id is not null
      union all
      select ${MONEY} from transactions t where t.merchant_id = $1 and t.payment_request_id = shown.id
        and t.status = 'pending' and shown.status = 'created'
      limit 1) as payer on true`,
  filters: {
    status: REQUEST_STATUS,
    state: shared("status", "s"),
    reference: equal("reference", "r", true),
    flow: equal("flow", "f", false),
    amount: equal("amount", "a", true),
    metadata: METADATA,
  },
  search: {
    reference: "reference = ?",
    amount: "amount = ?",
    email: REQUESTS_BY_EMAIL,
  },
  sorts: { amount: "amount", reference: "reference" },
  sums: { Amount: "amount" },
};

export type TransactionRow = ChangingRow &
  MoneyFacts & {
    readonly reference: string;
    readonly paymentRequestId: string | null;
    readonly code: string | null;
    readonly source: string;
    readonly amount: number;
    readonly total: number;
    readonly currency: Currency;
    readonly last4: string | null;
    readonly cardType: string | null;
  };

export const TRANSACTIONS: Listing<TransactionRow> = {
  name: "transactions",
  noun: "transaction",
  table: "transactions",
  columns: `id, reference, payment_request_id as "paymentRequestId", status, code, source, method, amount,
    surcharge, amount + surcharge as total, capture_status as "captureStatus", captured, refunded, disputed, currency,
    card ->> 'last4' as last4, card ->> 'cardType' as "cardType", created_at as "createdAt", updated_at as "updatedAt"`,
  filters: {
    status: TRANSACTION_STATUS,
    result: shared("status", "s"),
    reference: equal("reference", "r", true),
    customer: equal("customer_id", "c", true),
    source: equal("source", "o", false),
    amount: equal("amount + surcharge", "a", true),
    last4: equal("card ->> 'last4'", "l", true),
    code: equal("code", "d", false),
    metadata: METADATA,
  },
  search: {
    reference: "reference = ?",
    last4: "card ->> 'last4' = ?",
    amount: "amount + surcharge = ?",
    email: TRANSACTIONS_BY_EMAIL,
  },
  sorts: { amount: "amount + surcharge", reference: "reference" },
  sums: { Amount: "amount + surcharge", Captured: "captured", Refunded: "refunded" },
};

export type RefundRow = ChangingRow & {
  readonly reference: string;
  readonly transactionId: string;
  readonly transactionReference: string | null;
  readonly status: string;
  readonly code: string | null;
  readonly amount: number;
  readonly currency: Currency;
};

export const REFUNDS: Listing<RefundRow> = {
  name: "refunds",
  noun: "refund",
  table: "refunds",
  columns: `shown.id, shown.reference, transaction_id as "transactionId", payment.reference as "transactionReference",
    status, code, amount, currency, created_at as "createdAt", updated_at as "updatedAt"`,
  beside: `left join lateral (select t.reference from transactions t where t.merchant_id = $1
    and t.id = shown.transaction_id offset 0) as payment on true`,
  filters: {
    status: REFUND_STATUS,
    reference: equal("reference", "r", true),
    amount: equal("amount", "a", true),
    metadata: METADATA,
  },
  search: { reference: "reference = ?", amount: "amount = ?" },
  sorts: { amount: "amount", reference: "reference" },
  sums: { Amount: "amount" },
};
