import { bankingDaysAfter } from "../../kernel/banking-days.ts";
import { COUNTRY_OF_CURRENCY } from "../../kernel/country.ts";
import type { Id } from "../../kernel/ids.ts";
import type { Cents, Currency } from "../../kernel/money.ts";
import type { CalendarDay, Instant } from "../../kernel/time.ts";
import type { MaskedAccount } from "../transactions/index.ts";

/** A debit that is in a batch. The outcome is in its transaction. */
export type Debit = {
  readonly transactionId: Id<"transaction">;
  readonly batchId: Id<"debitBatch">;
  readonly bankReference: string;
  readonly submittedAt: Instant | null;
  readonly closedAt: Instant | null;
};

/** A debit as the bank needs it, without the account number, which is in the vault. */
export type DebitOrder = {
  readonly transactionId: Id<"transaction">;
  readonly paymentInstrumentId: Id<"paymentInstrument">;
  readonly amount: Cents;
  readonly currency: Currency;
  readonly bankAccount: MaskedAccount;
  readonly requestedAt: Instant;
};

export type Batch = {
  readonly id: Id<"debitBatch">;
  readonly merchantId: Id<"merchant">;
  readonly rail: "connector" | "file";
  readonly currency: Currency;
  readonly day: CalendarDay;
  readonly debits: number;
  readonly total: Cents;
  readonly createdAt: Instant;
};

/**
 * Bank files have room for twelve characters: the last twelve random ones of the id, sixty bits. Australian banks refuse a
 * leading zero, and programs that read it drop it, so `U`, which no id contains, replaces it.
 */
export function bankReferenceOf(id: Id<"transaction">): string {
  return id.slice(-12).toUpperCase().replace(/^0/, "U");
}

/** Banks return an unpaid debit within this many banking days. */
const CLEARING_DAYS = 3;

/** When a debit of a file counts as paid unless it was returned. */
export function clearedOn({ day, currency }: Pick<Batch, "day" | "currency">): CalendarDay {
  return bankingDaysAfter(day, CLEARING_DAYS, COUNTRY_OF_CURRENCY[currency]);
}

/** The first orders that fit into one batch. */
export function fitting(
  orders: readonly DebitOrder[],
  limit: { readonly debits: number; readonly total: Cents },
): readonly DebitOrder[] {
  const taken: DebitOrder[] = [];
  let total = 0;
  for (const order of orders) {
    if (taken.length === limit.debits || total + order.amount > limit.total) break;
    total += order.amount;
    taken.push(order);
  }
  return taken;
}
