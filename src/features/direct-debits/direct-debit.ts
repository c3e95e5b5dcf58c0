import { bankingDaysAfter } from "../../kernel/banking-days.ts";
import { COUNTRY_OF_CURRENCY, type Country } from "../../kernel/country.ts";
import type { Id } from "../../kernel/ids.ts";
import type { Lifecycle } from "../../kernel/lifecycle.ts";
import type { Cents, Currency } from "../../kernel/money.ts";
import { type CalendarDay, HOUR, type Instant, later, MINUTE } from "../../kernel/time.ts";
import { BANK_DEADLINE, BANK_GRACE, type MaskedAccount } from "../transactions/index.ts";

/** A debit that is in a batch. The outcome is in its transaction. */
export type Debit = {
  readonly transactionId: Id<"transaction">;
  readonly batchId: Id<"debitBatch">;
  readonly bankReference: string;
  readonly submittedAt: Instant | null;
  readonly closedAt: Instant | null;
};

/** A debit as the bank needs it, without the account number, which is in the vault. */
export type DebitToSend = {
  readonly transactionId: Id<"transaction">;
  readonly paymentInstrumentId: Id<"paymentInstrument">;
  readonly amount: Cents;
  readonly currency: Currency;
  readonly bankAccount: MaskedAccount;
  readonly requestedAt: Instant;
};

export type BatchStatus =
  | "made"
  | "submitting"
  | "unknown"
  | "incomplete"
  | "written"
  | "submitted"
  | "empty";

export type BatchTrigger = "begin" | "accept" | "lose" | "leaveOut" | "drop" | "forget" | "write" | "confirm";

/**
 * A batch reaches its bank once. It is handed over again only after an unknown outcome, or for debits whose account number
 * was unreadable (`incomplete`). A file is `submitted` when the operator confirms that the bank has it. A batch is `empty`
 * when all its debits are declined first, such as for deleted accounts; of a written file the operator or the bank says that
 * it was not taken. A hand-over begins when its account numbers are open.
 */
export const batchLifecycle: Lifecycle<BatchStatus, BatchTrigger> = {
  made: { begin: "submitting", write: "written", drop: "empty" },
  submitting: {
    begin: "submitting",
    accept: "submitted",
    lose: "unknown",
    leaveOut: "incomplete",
    drop: "empty",
  },
  unknown: { begin: "submitting", accept: "submitted" },
  incomplete: { begin: "submitting" },
  written: { write: "written", confirm: "submitted", drop: "empty" },
  submitted: { forget: "unknown" },
  empty: {},
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
  readonly status: BatchStatus;
  /** How often it was handed over. */
  readonly attempts: number;
  /** When the last hand-over began that was not without debits, in real time. */
  readonly submittingSince: Instant | null;
  /** When the bank processes the file, as the operator confirmed it. */
  readonly processingDay: CalendarDay | null;
};

/**
 * Longer than a hand-over takes. A process that has not recorded an outcome by then died, and the outcome is unknown. One
 * that is only slow may hand the batch over beside the next one: the bank does not accept a debit twice.
 */
const SUBMISSION_LEASE = BANK_DEADLINE + BANK_GRACE;

/** Until when another process may be handing the batch over; undefined when none is. */
export function underWayUntil(
  { status, submittingSince }: Pick<Batch, "status" | "submittingSince">,
  now: Instant,
): Instant | undefined {
  if (status !== "submitting" || submittingSince === null) return undefined;
  const until = later(submittingSince, SUBMISSION_LEASE);
  return until > now ? until : undefined;
}

/** Longer than a call of a hand-over is on its way, from the beginning of the hand-over: a lease, then a slow network. */
const ARRIVAL = 10 * MINUTE;

/** Whether debits of the last hand-over may still reach the bank. */
export function mayStillArrive({ submittingSince }: Pick<Batch, "submittingSince">, now: Instant): boolean {
  return submittingSince !== null && now < later(submittingSince, ARRIVAL);
}

/**
 * Bank files have room for twelve characters: the last twelve random ones of the id, sixty bits. Australian banks refuse a
 * leading zero, and programs that read it drop it, so `U`, which no id contains, replaces it.
 */
export function bankReferenceOf(id: Id<"transaction">): string {
  return id.slice(-12).toUpperCase().replace(/^0/, "U");
}

/** Banks return an unpaid debit within this many banking days. */
const CLEARING_DAYS = 3;

/** The last day on which the bank returns an unpaid debit of a confirmed file. */
export function clearedOn(batch: Pick<Batch, "day" | "processingDay" | "currency">): CalendarDay {
  return bankingDaysAfter(batch.processingDay ?? batch.day, CLEARING_DAYS, countryOf(batch));
}

/**
 * How long to wait for the return of a debit of a confirmed file: the full days, then every hour. Undefined when the
 * clearing days are over and the debit counts as paid.
 */
export function clearingWait(
  batch: Pick<Batch, "day" | "processingDay" | "currency">,
  today: CalendarDay,
): number | undefined {
  const lastDay = clearedOn(batch);
  return today > lastDay ? undefined : Math.max(HOUR, Date.parse(lastDay) - Date.parse(today) - HOUR);
}

/** The country whose banks carry the batch. */
export function countryOf({ currency }: Pick<Batch, "currency">): Country {
  return COUNTRY_OF_CURRENCY[currency];
}

/** The first debits that fit into one batch. */
export function fitting(
  debits: readonly DebitToSend[],
  limit: { readonly debits: number; readonly total: Cents },
): readonly DebitToSend[] {
  const taken: DebitToSend[] = [];
  let total = 0;
  for (const debit of debits) {
    if (taken.length === limit.debits || total + debit.amount > limit.total) break;
    total += debit.amount;
    taken.push(debit);
  }
  return taken;
}
