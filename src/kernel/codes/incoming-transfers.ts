import type { Code } from "./code.ts";

/** Transfers to PayIDs. */
export const INCOMING_TRANSFER_CODES = {
  V12000: {
    message: "transfer_payid_invalid",
    status: 400,
    meaning: "`payId` is the whole address, 1 to 320 characters.",
  },
  V12001: {
    message: "transfer_amount_invalid",
    status: 400,
    meaning: "A whole number of cents from 1 to 99999999999.",
  },
  V12002: {
    message: "transfer_payername_invalid",
    status: 400,
    meaning: "1 to 140 characters.",
  },
  V12003: {
    message: "transfer_payid_unknown",
    status: 404,
    meaning: "No payment request of this merchant has, or last had, this PayID.",
  },
} as const satisfies Record<string, Code>;
