import { type Code, invalid } from "./code.ts";

/** Payment requests: every field and every rule between fields has a code of its own. */
export const PAYMENT_REQUEST_CODES = {
  body_reference_invalid: { id: "V10004", status: 400, meaning: "`reference` is 1 to 64 characters." },
  payment_request_customer_id_invalid: invalid("V10214", "There is no such customer of this merchant."),
  payment_request_customer_email_invalid: invalid(
    "V10215",
    "An e-mail address of at most 254 characters, and not beside a customer `id`.",
  ),
  payment_request_customer_name_invalid: invalid(
    "V10216",
    "A name of 1 to 100 characters, and not beside a customer `id`.",
  ),
  payment_request_customer_paymentinstrument_invalid: invalid(
    "V10219",
    "`paymentInstrument` is `create`, or left out.",
  ),

  payment_request_payment_invalid: invalid(
    "V11100",
    "`payment` is required: an object with at least `amount`.",
  ),
  payment_request_amount_invalid: invalid("V11101", "A whole number of cents from 1 to 99999999999."),
  payment_request_currency_code_invalid: invalid(
    "V11102",
    "`AUD` or `NZD`; left out, it is the merchant's own currency.",
  ),
  payment_request_description_invalid: invalid(
    "V11103",
    "Text of at most 255 characters without control characters.",
  ),
  payment_request_payment_methods_invalid: invalid(
    "V11104",
    "A list, not empty and without repeats, of `card`, `apple_pay`, `google_pay`.",
  ),
  payment_request_transaction_request_invalid: invalid(
    "V11105",
    "Required for a card or wallet checkout; `{}` takes all defaults.",
  ),
  payment_request_category_invalid: invalid("V11106", "`transactionRequest.category` is an object."),
  payment_request_frequency_invalid: invalid("V11107", "`single` or `recurring`."),
  payment_request_capture_type_invalid: invalid("V11108", "`auto` or `manual`."),
  payment_request_authentication_type_invalid: invalid("V11109", "`3d_secure`, or left out."),
  payment_request_expiry_date_time_invalid: invalid(
    "V11110",
    "ISO 8601 with a zone, from one minute to 90 days ahead.",
  ),
  payment_request_external_reference_invalid: invalid("V11111", "Text of 1 to 64 characters."),
  payment_request_customer_request_invalid: invalid("V11112", "`customerRequest` is an object."),

  payment_request_agreement_details_invalid: invalid(
    "V11120",
    "`agreementDetails` is an object, allowed only with `apple_pay`.",
  ),
  payment_request_agreement_frequency_invalid: invalid("V11121", "`daily`, `monthly` or `annual`."),
  payment_request_agreement_frequency_count_invalid: invalid("V11122", "A whole number from 1 to 1000000."),
  payment_request_agreement_description_invalid: invalid("V11123", "Required: 1 to 140 characters."),
  payment_request_agreement_start_date_invalid: invalid("V11124", "A day as `yyyy-MM-dd`."),
  payment_request_agreement_end_date_invalid: invalid(
    "V11125",
    "A day as `yyyy-MM-dd`, not before the start.",
  ),
  payment_request_agreement_amount_invalid: invalid(
    "V11126",
    "A whole number of cents from 0 to 99999999999.",
  ),
  payment_request_agreement_management_url_invalid: invalid(
    "V11127",
    "Required: an https URL (http too in the sandbox).",
  ),
  payment_request_agreement_billing_agreement_invalid: invalid("V11128", "1 to 140 characters."),

  payment_request_instrument_invalid: invalid("V11130", "`payment.instrument` is an object with `payId`."),
  payment_request_payid_invalid: invalid("V11131", "`payId` is an object with `type` and `value`."),
  payment_request_payid_type_invalid: invalid("V11132", "`type` is `single`."),
  payment_request_payid_value_invalid: invalid(
    "V11133",
    "1 to 64 characters of `a-z`, `0-9`, `.`, `_`, `-`.",
  ),
  payment_request_payid_combination_refused: {
    id: "V11134",
    status: 400,
    meaning:
      "A PayID request takes no `paymentMethods`, `hostedPaymentPage`, `customerRequest`, `transactionRequest`.",
  },
  payment_request_payid_value_taken: {
    id: "V11135",
    status: 409,
    meaning: "Another open payment request has this PayID; choose another `value`.",
  },

  payment_request_payment_methods_capability_missing: {
    id: "V11180",
    status: 403,
    meaning: "The merchant account does not have this payment method.",
  },
  payment_request_three_d_secure_capability_missing: {
    id: "V11181",
    status: 403,
    meaning: "The merchant account does not have 3D Secure.",
  },
  payment_request_payid_capability_missing: {
    id: "V11182",
    status: 403,
    meaning: "The merchant account does not have PayID.",
  },
  payment_request_payid_rail_missing: {
    id: "V11183",
    status: 403,
    meaning: "This gateway has no bank that brings live PayID payments; its operator has to connect one.",
  },
  payment_request_state_conflict: {
    id: "V11190",
    status: 409,
    meaning: "The payment request is not `created` any more.",
  },
} as const satisfies Record<string, Code>;
