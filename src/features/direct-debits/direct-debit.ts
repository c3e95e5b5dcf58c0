import { bankingDaysAfter } from "../../kernel/banking-days.ts";
import type { Id } from "../../kernel/ids.ts";
import type { Currency } from "../../kernel/money.ts";
import type { CalendarDay, Instant } from "../../kernel/time.ts";
import type { MaskedAccount } from "../transactions/index.ts";

/** A debit that is in a batch. What became of the money is the transaction's to say. */
export type Debit = {
  readonly transactionId: Id<"transaction">;
  readonly batchId: Id<"debitBatch">;
  readonly bankReference: string;
  readonly submittedAt: Instant | null;
  readonly closedAt: Instant | null;
};

/** What a bank has to know of a debit, but for the number, which is in the vault. */
export type DebitOrder = {
  readonly transactionId: Id<"transaction">;
  readonly paymentInstrumentId: Id<"paymentInstrument">;
  readonly amount: number;
  readonly currency: Currency;
  readonly bankAccount: MaskedAccount;
  readonly askedAt: Instant;
};

export type Batch = {
  readonly id: Id<"debitBatch">;
  readonly merchantId: Id<"merchant">;
  readonly rail: "connector" | "file";
  readonly currency: Currency;
  readonly day: CalendarDay;
  readonly debits: number;
  readonly total: number;
  readonly createdAt: Instant;
};

/**
 * Banks' files have room for twelve characters: the last of the random ones of the id, sixty bits. Australian banks take no
 * reference that begins with a nought, and programs that read one drop it: a letter that no id has stands in its place.
 */
export function bankReferenceOf(id: Id<"transaction">): string {
  return id.slice(-12).toUpperCase().replace(/^0/, "U");
}

/** Banks return what they will not pay within so many of their days. */
const CLEARING_DAYS = 3;

/** When a debit of a file counts as paid, unless it came back: three banking days after the bank was to debit. */
export function clearedOn({ day, currency }: Pick<Batch, "day" | "currency">): CalendarDay {
  return bankingDaysAfter(day, CLEARING_DAYS, currency === "AUD" ? "AU" : "NZ");
}

/** As many of the orders as one batch can hold, from the first on. */
export function fitting(
  orders: readonly DebitOrder[],
  limit: { readonly debits: number; readonly total: number },
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
