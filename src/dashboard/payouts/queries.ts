import type { Currency } from "../../kernel/money.ts";
import { equal, type Listing, type Row } from "../shell/lists/listing.ts";

export type PayoutRow = Row & {
  readonly day: string;
  readonly amount: number;
  readonly currency: Currency;
  readonly lines: number;
};

export const PAYOUTS: Listing<PayoutRow> = {
  name: "payouts",
  noun: "payout",
  table: "payouts",
  columns: `id, day::text as day, amount, currency, lines, created_at as "createdAt"`,
  filters: { currency: equal("currency", "c", true), reference: equal("id", "r", true) },
  sums: { Amount: "amount" },
};
