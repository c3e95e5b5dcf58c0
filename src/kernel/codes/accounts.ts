import { COUNTRY_CHOICE } from "../country.ts";
import { CURRENCY_CHOICE } from "../money.ts";
import { type Code, invalid } from "./code.ts";

/** The merchant account, one-time tokens and the sandbox's clock. */
export const ACCOUNT_CODES = {
  account_name_invalid: invalid("V11300", "Use a name of 1 to 140 characters."),
  account_country_invalid: invalid("V11301", `Use ${COUNTRY_CHOICE}.`),
  account_currency_code_invalid: invalid("V11302", `Use ${CURRENCY_CHOICE}.`),
  account_capabilities_invalid: invalid("V11303", "Use an object of capabilities, each true or false."),
  account_capability_invalid: invalid("V11304", "Use true or false for a capability."),
  account_allowed_origins_invalid: invalid("V11305", "Use a list of at most 50 origins without repeats."),
  account_allowed_origin_invalid: invalid(
    "V11306",
    "Use an origin such as `https://shop.example`: scheme, host and port, no path.",
  ),
  account_surcharging_invalid: invalid("V11307", "Use an object with `enabled` and `rates`."),
  account_surcharging_enabled_invalid: invalid("V11308", "Use true or false for `enabled`."),
  account_surcharging_rates_invalid: invalid("V11309", "Use an object of rates by card type."),
  account_surcharging_rate_invalid: invalid(
    "V11310",
    "Use an object with `percent`, `fixed`, `from`, `until`, or null to remove the rate.",
  ),
  account_surcharging_percent_invalid: invalid(
    "V11311",
    "Use a number from 0 to 100 with at most 4 decimals.",
  ),
  account_surcharging_fixed_invalid: invalid("V11312", "Use a whole number of cents from 0 to 1000000."),
  account_surcharging_from_invalid: invalid("V11313", "Use a day as `yyyy-MM-dd` for `from`."),
  account_surcharging_until_invalid: invalid(
    "V11314",
    "Use a day as `yyyy-MM-dd` for `until`, not before `from`.",
  ),
  account_three_d_secure_unavailable_invalid: invalid(
    "V11316",
    "Send `decline` or `proceed` as `threeDSecureUnavailable`.",
  ),
  account_card_testing_invalid: invalid(
    "V11317",
    "Use an object with any of `address`, `bin`, `card`, `merchant`.",
  ),
  account_card_testing_limit_invalid: invalid(
    "V11318",
    "Use a whole number from 6 to 1000000, or null to restore the default.",
  ),
  account_three_d_secure_attempted_invalid: invalid(
    "V11319",
    "Send `decline` or `proceed` as `threeDSecureAttempted`.",
  ),
  account_live_change_refused: {
    id: "V11320",
    status: 403,
    meaning: "Have the operator change a live account with `tidegate merchant change`; the API can't.",
  },

  token_scope_invalid: { id: "V11400", status: 400, meaning: "Send `payui` as `scope`." },
  token_payment_request_id_invalid: {
    id: "V11401",
    status: 400,
    meaning:
      "Send the id of a payment request of this merchant as `paymentRequestId`, as `POST /paymentrequests` returned it.",
  },
  token_payment_request_flow_conflict: {
    id: "V11402",
    status: 409,
    meaning:
      "Create a token only for a card or wallet request in the embedded checkout; PayID requests and hosted pages need none.",
  },

  sandbox_clock_seconds_invalid: {
    id: "V11500",
    status: 400,
    meaning: "Send `seconds` as a whole number from 1 to 31622400 (366 days).",
  },
  sandbox_clock_limit_conflict: {
    id: "V11501",
    status: 409,
    meaning: "Send fewer `seconds`: the sandbox clock can be at most 20 years ahead.",
  },
} as const satisfies Record<string, Code>;
