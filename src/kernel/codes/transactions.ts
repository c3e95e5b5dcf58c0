import type { Code } from "./code.ts";

/** Transactions, captures and refunds. */
export const TRANSACTION_CODES = {
  V11028: {
    message: "query_paymentrequestid_invalid",
    status: 400,
    meaning: "`paymentrequestid` is the id of a payment request.",
  },
  V11029: {
    message: "query_customerid_invalid",
    status: 400,
    meaning: "`customerid` is the id of a customer.",
  },
  V11700: {
    message: "transaction_payment_invalid",
    status: 400,
    meaning: "`payment` is an object with `amount`, or left out.",
  },
  V11701: {
    message: "transaction_amount_invalid",
    status: 400,
    meaning: "A whole number of cents from 1 to 199999999998; left out, it is all that there is.",
  },
  V11710: {
    message: "transaction_capture_state_conflict",
    status: 409,
    meaning:
      "Only an approved authorisation that was not captured, voided or expired can be captured or cancelled.",
  },
  V11711: {
    message: "transaction_capture_amount_conflict",
    status: 409,
    meaning: "A capture can't be above the authorised total.",
  },
  V11712: {
    message: "transaction_movement_in_progress",
    status: 409,
    meaning:
      "A capture or a cancellation of this transaction is under way; read the transaction for its outcome.",
  },
  V11720: {
    message: "refund_transaction_state_conflict",
    status: 409,
    meaning: "Only money that was taken can be refunded: the transaction is not approved and captured.",
  },
  V11721: {
    message: "refund_amount_conflict",
    status: 409,
    meaning: "Refunds, those under way included, can't be more than what was captured.",
  },
} as const satisfies Record<string, Code>;
