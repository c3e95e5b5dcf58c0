import type { CalendarDay } from "../../kernel/time.ts";

export const REFERENCE = /^[1-9A-Z][0-9A-Z]{0,11}$/;

/** 2026-03-09 as `yy`, `mm`, `dd`. */
export function dayParts(day: CalendarDay): {
  readonly yy: string;
  readonly mm: string;
  readonly dd: string;
} {
  return { yy: day.slice(2, 4), mm: day.slice(5, 7), dd: day.slice(8, 10) };
}
