import type { Currency } from "../../kernel/money.ts";
import { equal, type Listing, type Row, shared } from "../shell/lists/listing.ts";

export type PayoutRow = Row & {
  readonly day: string;
  readonly amount: number;
  readonly currency: Currency;
  readonly lines: number;
  readonly payments: number;
  readonly refunds: number;
  readonly returns: number;
  readonly fees: number;
  readonly disputes: number;
};

export const PAYOUTS: Listing<PayoutRow> = {
  name: "payouts",
  noun: "payout",
  table: "payouts",
  columns: `id, day::text as day, amount, currency, lines, payments, refunds, returns, fees, disputes, created_at as "createdAt"`,
  filters: { currency: shared("currency", "c"), reference: equal("id", "r", true) },
  search: { amount: "amount = ?" },
  sorts: { amount: "amount" },
  sums: { "Paid out": "amount", Fees: "fees" },
};
