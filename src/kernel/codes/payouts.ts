import type { Code } from "./code.ts";

/** Payouts. */
export const PAYOUT_CODES = {
  query_currencycode_invalid: {
    id: "V12050",
    status: 400,
    meaning: "Send `AUD` or `NZD` as `currencyCode`.",
  },
} as const satisfies Record<string, Code>;
