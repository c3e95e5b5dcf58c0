import { type Code, invalid } from "./code.ts";

/** A field of a charge that is wrong. */
/** Transactions, captures and refunds. */
export const TRANSACTION_CODES = {
  query_paymentrequestid_invalid: {
    id: "V11028",
    status: 400,
    meaning: "`paymentrequestid` is the id of a payment request.",
  },
  query_customerid_invalid: {
    id: "V11029",
    status: 400,
    meaning: "`customerid` is the id of a customer.",
  },
  transaction_payment_invalid: {
    id: "V11700",
    status: 400,
    meaning: "`payment` is an object with `amount`, or left out.",
  },
  transaction_amount_invalid: {
    id: "V11701",
    status: 400,
    meaning: "A whole number of cents from 1 to 99999999999; left out, it is all that is left.",
  },
  transaction_capture_state_conflict: {
    id: "V11710",
    status: 409,
    meaning:
      "Only an approved authorisation that was not captured, voided or expired can be captured or cancelled.",
  },
  transaction_capture_amount_conflict: {
    id: "V11711",
    status: 409,
    meaning: "A capture can't be above the authorised total.",
  },
  transaction_movement_in_progress: {
    id: "V11712",
    status: 409,
    meaning:
      "A capture or a cancellation of this transaction is under way; read the transaction for its outcome.",
  },
  charge_payment_invalid: invalid("V11730", "`payment` is an object with `amount` and `instrument`."),
  charge_amount_invalid: invalid("V11731", "A whole number of cents from 1 to 99999999999."),
  charge_currency_invalid: invalid(
    "V11732",
    "`AUD` or `NZD`; a debit is in the currency of the bank account's country.",
  ),
  charge_instrument_invalid: invalid("V11733", "`instrument` is an object with `customer`."),
  charge_customer_invalid: invalid("V11734", "`customer` is an object with `id` and `paymentInstrumentId`."),
  charge_customer_id_invalid: invalid("V11735", "The id of a customer of this merchant."),
  charge_payment_instrument_id_invalid: invalid(
    "V11736",
    "The id of a payment instrument of this customer that was not deleted.",
  ),
  charge_cvn_invalid: invalid("V11737", "Three digits, four for American Express; a bank account has none."),
  charge_category_invalid: invalid(
    "V11738",
    "`category` is an object with `origin`, `frequency` and `captureType`, each optional.",
  ),
  charge_origin_invalid: invalid("V11739", "`internet` (default), `mail` or `telephone`."),
  charge_frequency_invalid: invalid("V11740", "`single` (default) or `recurring`."),
  charge_capture_type_invalid: invalid(
    "V11741",
    "`auto` (default) or `manual`; a bank account is always `auto`.",
  ),
  charge_card_capability_missing: {
    id: "V11742",
    status: 403,
    meaning: "The merchant account has no card payments (`cardNotPresent`).",
  },
  charge_direct_debit_capability_missing: {
    id: "V11743",
    status: 403,
    meaning: "The merchant account has no direct debit (`directDebit`).",
  },
  refund_transaction_state_conflict: {
    id: "V11720",
    status: 409,
    meaning: "Only money that was taken can be refunded; this transaction is not approved, or not captured.",
  },
  refund_amount_conflict: {
    id: "V11721",
    status: 409,
    meaning: "Refunds, those under way included, can't be more than what was captured.",
  },
} as const satisfies Record<string, Code>;
