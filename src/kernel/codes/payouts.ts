import type { Code } from "./code.ts";

/** Payouts. */
export const PAYOUT_CODES = {
  query_currencycode_invalid: {
    id: "V12050",
    status: 400,
    meaning: "`currencyCode` is `AUD` or `NZD`.",
  },
} as const satisfies Record<string, Code>;
