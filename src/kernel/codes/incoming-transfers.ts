import type { Code } from "./code.ts";

/** Transfers to PayIDs. */
export const INCOMING_TRANSFER_CODES = {
  transfer_payid_invalid: {
    id: "V12000",
    status: 400,
    meaning: "Send the full address as `payId`, 1 to 320 characters.",
  },
  transfer_amount_invalid: {
    id: "V12001",
    status: 400,
    meaning: "Send `amount` as a whole number of cents from 1 to 99999999999.",
  },
  transfer_payername_invalid: {
    id: "V12002",
    status: 400,
    meaning: "Send a `payerName` of 1 to 140 characters.",
  },
  transfer_payid_unknown: {
    id: "V12003",
    status: 404,
    meaning: "Send a PayID that a payment request of this merchant has or last had.",
  },
} as const satisfies Record<string, Code>;
