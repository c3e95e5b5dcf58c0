import type { Code } from "./code.ts";

const invalid = (place: string, meaning: string) =>
  ({ message: `payment_request_${place}_invalid`, status: 400, meaning }) as const;

/** Payment requests: every field and every rule between fields has a code of its own. */
export const PAYMENT_REQUEST_CODES = {
  V10004: { message: "body_reference_invalid", status: 400, meaning: "`reference` is 1 to 64 characters." },
  V10214: invalid("customer_id", "There is no such customer of this merchant."),
  V10215: invalid(
    "customer_email",
    "An e-mail address of at most 254 characters, and not beside a customer `id`.",
  ),
  V10216: invalid("customer_name", "A name of 1 to 100 characters, and not beside a customer `id`."),
  V10219: invalid("customer_paymentinstrument", "`paymentInstrument` is `create`, or left out."),

  V11100: invalid("payment", "`payment` is required: an object with at least `amount`."),
  V11101: invalid("amount", "A whole number of cents from 1 to 99999999999."),
  V11102: invalid("currency_code", "`AUD` or `NZD`; left out, it is the merchant's own currency."),
  V11103: invalid("description", "Text of at most 255 characters without control characters."),
  V11104: invalid(
    "payment_methods",
    "A list, not empty and without repeats, of `card`, `apple_pay`, `google_pay`.",
  ),
  V11105: invalid("transaction_request", "Required for a card or wallet checkout; `{}` takes all defaults."),
  V11106: invalid("category", "`transactionRequest.category` is an object."),
  V11107: invalid("frequency", "`single` or `recurring`."),
  V11108: invalid("capture_type", "`auto` or `manual`."),
  V11109: invalid("authentication_type", "`3d_secure`, or left out."),
  V11110: invalid("expiry_date_time", "ISO 8601 with a zone, from one minute to 90 days ahead."),
  V11111: invalid("external_reference", "Text of 1 to 64 characters."),
  V11112: invalid("customer_request", "`customerRequest` is an object."),

  V11120: invalid("agreement_details", "`agreementDetails` is an object, allowed only with `apple_pay`."),
  V11121: invalid("agreement_frequency", "`daily`, `monthly` or `annual`."),
  V11122: invalid("agreement_frequency_count", "A whole number from 1 to 1000000."),
  V11123: invalid("agreement_description", "Required: 1 to 140 characters."),
  V11124: invalid("agreement_start_date", "A day as `yyyy-MM-dd`."),
  V11125: invalid("agreement_end_date", "A day as `yyyy-MM-dd`, not before the start."),
  V11126: invalid("agreement_amount", "A whole number of cents from 0 to 99999999999."),
  V11127: invalid("agreement_management_url", "Required: an https URL (http too in the sandbox)."),
  V11128: invalid("agreement_billing_agreement", "1 to 140 characters."),

  V11130: invalid("instrument", "`payment.instrument` is an object with `payId`."),
  V11131: invalid("payid", "`payId` is an object with `type` and `value`."),
  V11132: invalid("payid_type", "`type` is `single`."),
  V11133: invalid("payid_value", "1 to 64 characters of `a-z`, `0-9`, `.`, `_`, `-`."),
  V11134: {
    message: "payment_request_payid_combination_refused",
    status: 400,
    meaning:
      "A PayID request takes no `paymentMethods`, `hostedPaymentPage`, `customerRequest`, `transactionRequest`.",
  },
  V11135: {
    message: "payment_request_payid_value_taken",
    status: 409,
    meaning: "Another open payment request has this PayID; choose another `value`.",
  },

  V11180: {
    message: "payment_request_payment_methods_capability_missing",
    status: 403,
    meaning: "The merchant account does not have this payment method.",
  },
  V11181: {
    message: "payment_request_three_d_secure_capability_missing",
    status: 403,
    meaning: "The merchant account does not have 3D Secure.",
  },
  V11182: {
    message: "payment_request_payid_capability_missing",
    status: 403,
    meaning: "The merchant account does not have PayID.",
  },
  V11183: {
    message: "payment_request_payid_rail_missing",
    status: 403,
    meaning: "This gateway has no bank that brings live PayID payments; its operator has to connect one.",
  },
  V11190: {
    message: "payment_request_state_conflict",
    status: 409,
    meaning: "The payment request is not `created` any more.",
  },
} as const satisfies Record<string, Code>;
