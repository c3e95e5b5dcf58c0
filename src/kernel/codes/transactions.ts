import type { Code } from "./code.ts";

/** A field of a charge that is wrong. */
const charge = <Field extends string>(field: Field, meaning: string) =>
  ({ message: `charge_${field}_invalid`, status: 400, meaning }) as const;

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
    meaning: "A whole number of cents from 1 to 99999999999; left out, it is all that is left.",
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
  V11730: charge("payment", "`payment` is an object with `amount` and `instrument`."),
  V11731: charge("amount", "A whole number of cents from 1 to 99999999999."),
  V11732: charge("currency", "`AUD` or `NZD`; a debit is in the currency of the bank account's country."),
  V11733: charge("instrument", "`instrument` is an object with `customer`."),
  V11734: charge("customer", "`customer` is an object with `id` and `paymentInstrumentId`."),
  V11735: charge("customer_id", "The id of a customer of this merchant."),
  V11736: charge(
    "payment_instrument_id",
    "The id of a payment instrument of this customer that was not deleted.",
  ),
  V11737: charge("cvn", "Three digits, four for American Express; a bank account has none."),
  V11738: charge(
    "category",
    "`category` is an object with `origin`, `frequency` and `captureType`, each optional.",
  ),
  V11739: charge("origin", "`internet` (default), `mail` or `telephone`."),
  V11740: charge("frequency", "`single` (default) or `recurring`."),
  V11741: charge("capture_type", "`auto` (default) or `manual`; a bank account is always `auto`."),
  V11742: {
    message: "charge_card_capability_missing",
    status: 403,
    meaning: "The merchant account has no card payments (`cardNotPresent`).",
  },
  V11743: {
    message: "charge_direct_debit_capability_missing",
    status: 403,
    meaning: "The merchant account has no direct debit (`directDebit`).",
  },
  V11720: {
    message: "refund_transaction_state_conflict",
    status: 409,
    meaning: "Only money that was taken can be refunded; this transaction is not approved, or not captured.",
  },
  V11721: {
    message: "refund_amount_conflict",
    status: 409,
    meaning: "Refunds, those under way included, can't be more than what was captured.",
  },
} as const satisfies Record<string, Code>;
