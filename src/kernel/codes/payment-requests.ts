import { CURRENCY_CHOICE } from "../money.ts";
import { WALLETS } from "../wallets.ts";
import { type Code, invalid } from "./code.ts";

const METHOD_LIST = ["card", ...WALLETS].map((method) => `\`${method}\``).join(", ");

/** Payment requests: every field and every rule between fields has a code of its own. */
export const PAYMENT_REQUEST_CODES = {
  body_reference_invalid: { id: "V10004", status: 400, meaning: "Send a `reference` of 1 to 64 characters." },
  payment_request_customer_id_invalid: invalid(
    "V10214",
    "Send the id of a customer of this merchant as `id`.",
  ),
  payment_request_customer_email_invalid: invalid(
    "V10215",
    "Send an e-mail address of at most 254 characters, and no customer `id` with it.",
  ),
  payment_request_customer_name_invalid: invalid(
    "V10216",
    "Send a name of 1 to 100 characters, and no customer `id` with it.",
  ),
  payment_request_customer_paymentinstrument_invalid: invalid(
    "V10219",
    "Send `create` as `paymentInstrument`, or omit it.",
  ),

  payment_request_payment_invalid: invalid(
    "V11100",
    "Send `payment` as an object with at least `amount`; it is required.",
  ),
  payment_request_amount_invalid: invalid(
    "V11101",
    "Send `amount` as a whole number of cents from 1 to 99999999999, or 0 with `card` and `customerRequest.paymentInstrument` `create` to store a card without charging it.",
  ),
  payment_request_currency_code_invalid: invalid(
    "V11102",
    `Send ${CURRENCY_CHOICE}, or omit it to use the merchant's own currency; a PayID is paid in \`AUD\`.`,
  ),
  payment_request_description_invalid: invalid(
    "V11103",
    "Send a `description` of at most 255 characters without control characters.",
  ),
  payment_request_payment_methods_invalid: invalid(
    "V11104",
    `Send a list of ${METHOD_LIST}, not empty and without repeats.`,
  ),
  payment_request_transaction_request_invalid: invalid(
    "V11105",
    "Send `transactionRequest` as an object; a card or wallet checkout requires it, and `{}` uses all defaults.",
  ),
  payment_request_category_invalid: invalid("V11106", "Send `transactionRequest.category` as an object."),
  payment_request_frequency_invalid: invalid("V11107", "Send `single` or `recurring` as `frequency`."),
  payment_request_capture_type_invalid: invalid("V11108", "Send `auto` or `manual` as `captureType`."),
  payment_request_authentication_type_invalid: invalid(
    "V11109",
    "Send `3d_secure` as `authenticationType`, or omit it.",
  ),
  payment_request_partial_approval_invalid: invalid(
    "V11136",
    "Send `decline` or `accept` as `partialApproval`.",
  ),
  payment_request_attempts_invalid: invalid(
    "V11137",
    "Send a whole number from 1 to 3 as `transactionRequest.attempts`; with a hosted page send `hostedPaymentPage.attempts` instead.",
  ),
  payment_request_collect_address_invalid: invalid(
    "V11141",
    "Send `none`, `postcode` or `full` as `transactionRequest.collectAddress`; the last two need `card` in `paymentMethods`.",
  ),
  payment_request_locale_invalid: invalid(
    "V11139",
    "Send the payer's language as a BCP 47 tag of at most 35 characters as `locale`, such as `zh-Hans`.",
  ),
  payment_request_expiry_date_time_invalid: invalid(
    "V11110",
    "Send `expiryDateTime` as ISO 8601 with a zone, from one minute to 90 days ahead.",
  ),
  payment_request_external_reference_invalid: invalid(
    "V11111",
    "Send an `externalReference` of 1 to 64 characters.",
  ),
  payment_request_customer_request_invalid: invalid("V11112", "Send `customerRequest` as an object."),
  payment_request_customer_allow_removal_invalid: invalid(
    "V11113",
    "Send `true` or `false` as `allowRemoval`, and only with a customer `id`.",
  ),

  payment_request_agreement_details_invalid: invalid(
    "V11120",
    "Send `agreementDetails` as an object, and only with `apple_pay`.",
  ),
  payment_request_agreement_frequency_invalid: invalid(
    "V11121",
    "Send `daily`, `monthly` or `annual` as `frequency`.",
  ),
  payment_request_agreement_frequency_count_invalid: invalid(
    "V11122",
    "Send a whole number from 1 to 1000000 as `frequencyCount`.",
  ),
  payment_request_agreement_description_invalid: invalid(
    "V11123",
    "Send a `description` of 1 to 140 characters; it is required.",
  ),
  payment_request_agreement_start_date_invalid: invalid("V11124", "Send `startDate` as a day, `yyyy-MM-dd`."),
  payment_request_agreement_end_date_invalid: invalid(
    "V11125",
    "Send `endDate` as a day, `yyyy-MM-dd`, not before `startDate`.",
  ),
  payment_request_agreement_amount_invalid: invalid(
    "V11126",
    "Send `amount` as a whole number of cents from 0 to 99999999999.",
  ),
  payment_request_agreement_management_url_invalid: invalid(
    "V11127",
    "Send an https URL (in the sandbox also http) as `managementURL`; it is required.",
  ),
  payment_request_agreement_billing_agreement_invalid: invalid(
    "V11128",
    "Send a `billingAgreement` of 1 to 140 characters.",
  ),

  payment_request_instrument_invalid: invalid(
    "V11130",
    "Send `payment.instrument` as an object with `payId`.",
  ),
  payment_request_payid_invalid: invalid("V11131", "Send `payId` as an object with `type` and `value`."),
  payment_request_payid_type_invalid: invalid("V11132", "Send `single` as `type`."),
  payment_request_payid_value_invalid: invalid(
    "V11133",
    "Send a `value` of 1 to 64 characters of `A-Z`, `a-z`, `0-9`, `.`, `_`, `-`.",
  ),
  payment_request_payid_combination_refused: {
    id: "V11134",
    status: 400,
    meaning:
      "Omit `paymentMethods`, `hostedPaymentPage`, `customerRequest` and `transactionRequest` from a PayID request.",
  },
  payment_request_payid_value_taken: {
    id: "V11135",
    status: 409,
    meaning: "Choose another `value`; another open payment request has this PayID.",
  },

  payment_request_payment_methods_capability_missing: {
    id: "V11180",
    status: 403,
    meaning: "Remove this payment method, or have it enabled; the merchant account does not have it.",
  },
  payment_request_three_d_secure_capability_missing: {
    id: "V11181",
    status: 403,
    meaning: "Omit `authenticationType`, or have 3D Secure enabled; the merchant account does not have it.",
  },
  payment_request_three_d_secure_not_offered: {
    id: "V11186",
    status: 403,
    meaning:
      "Omit `authenticationType`, or have the gateway's operator connect an acquirer account with 3D Secure; none of the merchant's has it.",
  },
  payment_request_payid_capability_missing: {
    id: "V11182",
    status: 403,
    meaning: "Use another way to be paid, or have PayID enabled; the merchant account does not have it.",
  },
  payment_request_payid_rail_missing: {
    id: "V11183",
    status: 403,
    meaning: "Have the gateway's operator connect a bank for live PayID payments; it has none.",
  },
  payment_request_state_conflict: {
    id: "V11190",
    status: 409,
    meaning: "Create a new payment request; this one is no longer `created`.",
  },
} as const satisfies Record<string, Code>;
