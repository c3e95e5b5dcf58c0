import type { Code } from "./code.ts";

/** Payouts. */
export const PAYOUT_CODES = {
  V12050: {
    message: "query_currencycode_invalid",
    status: 400,
    meaning: "`currencyCode` is `AUD` or `NZD`.",
  },
} as const satisfies Record<string, Code>;
