import type { CalendarDay } from "../../kernel/time.ts";

/** One account to be debited, as it goes into a bank's file. Never stored, never logged. */
export type DebitLine = {
  /** 1 to 12 letters and digits, no nought first: what a return is recognised by. The payer sees it on the statement. */
  readonly reference: string;
  readonly amount: number;
  readonly accountName: string;
  /** Australia only: six digits. */
  readonly bsb?: string | undefined;
  readonly number: string;
};

/** A bank's file, and what stands in its totals. */
export type WrittenFile = { readonly text: string; readonly count: number; readonly total: number };

/** A debit that came back. */
export type ReturnedLine = {
  /** Where it stands in the file. */
  readonly line: number;
  readonly reference: string;
  readonly amount: number;
  readonly reason: ReturnReason;
};

/** Why a bank sends a debit back, in our words. */
export type ReturnReason = "refused" | "account_invalid" | "account_blocked" | "account_closed";

export const REFERENCE = /^[1-9A-Z][0-9A-Z]{0,11}$/;

/** 2026-03-09 as `yy`, `mm`, `dd`. */
export function dayParts(day: CalendarDay): {
  readonly yy: string;
  readonly mm: string;
  readonly dd: string;
} {
  return { yy: day.slice(2, 4), mm: day.slice(5, 7), dd: day.slice(8, 10) };
}
