import type { IdNoun } from "../../../kernel/ids.ts";
import type { Currency } from "../../../kernel/money.ts";
import type { Instant } from "../../../kernel/time.ts";

type Filter = {
  /** With `?` for the value. */
  readonly sql: string;
  /** An index has it; otherwise it is looked for among the rows that are passed. */
  readonly indexed: boolean;
  /** One letter, for the name of the statement. */
  readonly short: string;
};

export type Listing = {
  readonly name: string;
  readonly noun: IdNoun;
  readonly table: string;
  readonly columns: string;
  readonly filters: Readonly<Record<string, Filter>>;
};

const CREATED = `created_at as "createdAt"`;

export type Row = { readonly id: string; readonly createdAt: Instant };

export type RequestRow = Row & {
  readonly reference: string;
  readonly status: string;
  readonly flow: string;
  readonly amount: number;
  readonly currency: Currency;
  readonly expiresAt: Instant;
};

export type TransactionRow = Row & {
  readonly reference: string;
  readonly paymentRequestId: string | null;
  readonly status: string;
  readonly code: string | null;
  readonly source: string;
  readonly captureStatus: string | null;
  readonly total: number;
  readonly refunded: number;
  readonly currency: Currency;
  readonly last4: string | null;
  readonly cardType: string | null;
};

export type RefundRow = Row & {
  readonly reference: string;
  readonly transactionId: string;
  readonly status: string;
  readonly code: string | null;
  readonly amount: number;
  readonly currency: Currency;
};

export type CustomerRow = Row & {
  readonly reference: string;
  readonly name: string;
  readonly email: string | null;
};

export type PayoutRow = Row & {
  readonly day: string;
  readonly amount: number;
  readonly currency: Currency;
  readonly lines: number;
};

const equal = (column: string, short: string, indexed: boolean): Filter => ({
  sql: `${column} = ?`,
  indexed,
  short,
});

export const LISTINGS = {
  requests: {
    name: "requests",
    noun: "paymentRequest",
    table: "payment_requests",
    columns: `id, reference, status, flow, amount, currency, expires_at as "expiresAt", ${CREATED}`,
    filters: {
      status: equal("status", "s", true),
      reference: equal("reference", "r", true),
      flow: equal("flow", "f", false),
      amount: equal("amount", "a", false),
    },
  },
  transactions: {
    name: "transactions",
    noun: "transaction",
    table: "transactions",
    columns: `id, reference, payment_request_id as "paymentRequestId", status, code, source, amount + surcharge as total,
      capture_status as "captureStatus", refunded, currency, card ->> 'last4' as last4, card ->> 'cardType' as "cardType",
      ${CREATED}`,
    filters: {
      status: equal("status", "s", true),
      reference: equal("reference", "r", true),
      customer: equal("customer_id", "c", true),
      source: equal("source", "o", false),
      capture: equal("capture_status", "t", false),
      amount: equal("amount + surcharge", "a", false),
      last4: equal("card ->> 'last4'", "l", false),
      code: equal("code", "d", false),
    },
  },
  refunds: {
    name: "refunds",
    noun: "refund",
    table: "refunds",
    columns: `id, reference, transaction_id as "transactionId", status, code, amount, currency, ${CREATED}`,
    filters: {
      status: equal("status", "s", false),
      reference: equal("reference", "r", false),
      amount: equal("amount", "a", false),
    },
  },
  customers: {
    name: "customers",
    noun: "customer",
    table: "customers",
    columns: `id, reference, name, email, ${CREATED}`,
    filters: {
      reference: equal("reference", "r", true),
      email: { sql: "lower(email) = lower(?)", indexed: false, short: "e" },
    },
  },
  payouts: {
    name: "payouts",
    noun: "payout",
    table: "payouts",
    columns: `id, day::text as day, amount, currency, lines, ${CREATED}`,
    filters: {
      currency: equal("currency", "c", true),
      reference: { sql: "id = ?", indexed: true, short: "r" },
    },
  },
} as const satisfies Readonly<Record<string, Listing>>;

export type ListName = keyof typeof LISTINGS;

export type RowOf = {
  readonly requests: RequestRow;
  readonly transactions: TransactionRow;
  readonly refunds: RefundRow;
  readonly customers: CustomerRow;
  readonly payouts: PayoutRow;
};
