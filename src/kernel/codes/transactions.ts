import { CURRENCY_CHOICE } from "../money.ts";
import { type Code, invalid } from "./code.ts";

/** Transactions, captures and refunds. */
export const TRANSACTION_CODES = {
  query_paymentrequestid_invalid: {
    id: "V11028",
    status: 400,
    meaning: "Send the id of a payment request as `paymentrequestid`.",
  },
  query_customerid_invalid: {
    id: "V11029",
    status: 400,
    meaning: "Send the id of a customer as `customerid`.",
  },
  query_transactionid_invalid: {
    id: "V12060",
    status: 400,
    meaning: "Send the id of a transaction as `transactionid`.",
  },
  transaction_payment_invalid: {
    id: "V11700",
    status: 400,
    meaning: "Send `payment` as an object with `amount`, or omit it.",
  },
  transaction_amount_invalid: {
    id: "V11701",
    status: 400,
    meaning:
      "Send `amount` as a whole number of cents from 1 to 199999999998, or omit it to use all that remains.",
  },
  transaction_capture_state_conflict: {
    id: "V11710",
    status: 409,
    meaning: "Capture or cancel only an approved authorisation that was not captured, voided or expired.",
  },
  transaction_capture_amount_conflict: {
    id: "V11711",
    status: 409,
    meaning:
      "Send an amount that is not above the authorised total, or above what the acquirer approved of it.",
  },
  transaction_operation_in_progress: {
    id: "V11712",
    status: 409,
    meaning: "Read the transaction for the outcome of its capture or cancellation, which is in progress.",
  },
  charge_payment_invalid: invalid("V11730", "Send `payment` as an object with `amount` and `instrument`."),
  charge_amount_invalid: invalid("V11731", "Send `amount` as a whole number of cents from 1 to 99999999999."),
  charge_currency_invalid: invalid(
    "V11732",
    `Send ${CURRENCY_CHOICE}; a direct debit uses the currency of the bank account's country.`,
  ),
  charge_instrument_invalid: invalid("V11733", "Send `instrument` as an object with `customer`."),
  charge_customer_invalid: invalid(
    "V11734",
    "Send `customer` as an object with `id` and `paymentInstrumentId`.",
  ),
  charge_customer_id_invalid: invalid("V11735", "Send the id of a customer of this merchant as `id`."),
  charge_payment_instrument_id_invalid: invalid(
    "V11736",
    "Send the id of a payment instrument of this customer that is not deleted as `paymentInstrumentId`.",
  ),
  charge_cvn_invalid: invalid(
    "V11737",
    "Send `cvn` as three digits, four for American Express; omit it for a bank account.",
  ),
  charge_category_invalid: invalid(
    "V11738",
    "Send `category` as an object with `origin`, `frequency`, `captureType` and `partialApproval`, each optional.",
  ),
  charge_origin_invalid: invalid("V11739", "Send `internet` (default), `mail` or `telephone` as `origin`."),
  charge_frequency_invalid: invalid("V11740", "Send `single` (default) or `recurring` as `frequency`."),
  charge_capture_type_invalid: invalid(
    "V11741",
    "Send `auto` (default) or `manual` as `captureType`; a bank account is always `auto`.",
  ),
  charge_partial_approval_invalid: invalid(
    "V11744",
    "Send `decline` (default) or `accept` as `partialApproval`; a bank account has no partial approvals.",
  ),
  vault_uses_too_many: {
    id: "V11748",
    status: 429,
    meaning:
      "Wait as long as `Retry-After` says; this merchant charges more stored cards within a minute than the operator allows.",
  },
  charge_card_capability_missing: {
    id: "V11742",
    status: 403,
    meaning: "Have card payments (`cardNotPresent`) enabled; the merchant account does not have them.",
  },
  charge_direct_debit_capability_missing: {
    id: "V11743",
    status: 403,
    meaning: "Have direct debit (`directDebit`) enabled; the merchant account does not have it.",
  },
  refund_transaction_state_conflict: {
    id: "V11720",
    status: 409,
    meaning: "Refund only captured money; this transaction is not approved, or not captured.",
  },
  refund_amount_conflict: {
    id: "V11721",
    status: 409,
    meaning:
      "Send an amount that, with all refunds so far (pending ones included), is not above the captured amount.",
  },
} as const satisfies Record<string, Code>;
