import { CURRENCY_CHOICE } from "../money.ts";
import type { Code } from "./code.ts";

/** Payouts. */
export const PAYOUT_CODES = {
  query_currencycode_invalid: {
    id: "V12050",
    status: 400,
    meaning: `Send ${CURRENCY_CHOICE} as \`currencyCode\`.`,
  },
} as const satisfies Record<string, Code>;
