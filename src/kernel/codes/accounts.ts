import type { Code } from "./code.ts";

const invalid = (place: string, meaning: string) =>
  ({ message: `account_${place}_invalid`, status: 400, meaning }) as const;

/** The merchant account, one-time tokens and the sandbox's clock. */
export const ACCOUNT_CODES = {
  V11300: invalid("name", "1 to 140 characters."),
  V11301: invalid("country", "`AU` or `NZ`."),
  V11302: invalid("currency_code", "`AUD` or `NZD`."),
  V11303: invalid("capabilities", "An object of capabilities, each true or false."),
  V11304: invalid("capability", "true or false."),
  V11305: invalid("allowed_origins", "A list of at most 50 origins without repeats."),
  V11306: invalid(
    "allowed_origin",
    "An origin such as `https://shop.example`: scheme, host and port, no path.",
  ),
  V11307: invalid("surcharging", "An object with `enabled` and `rates`."),
  V11308: invalid("surcharging_enabled", "true or false."),
  V11309: invalid("surcharging_rates", "An object of rates by card type."),
  V11310: invalid(
    "surcharging_rate",
    "An object with `percent`, `fixed`, `from`, `until`; null removes the rate.",
  ),
  V11311: invalid("surcharging_percent", "A number from 0 to 100 with at most 4 decimals."),
  V11312: invalid("surcharging_fixed", "A whole number of cents from 0 to 1000000."),
  V11313: invalid("surcharging_from", "A day as `yyyy-MM-dd`."),
  V11314: invalid("surcharging_until", "A day as `yyyy-MM-dd`, not before `from`."),
  V11320: {
    message: "account_live_change_refused",
    status: 403,
    meaning: "A live account is changed by its operator, with `tidegate merchant change`.",
  },

  V11400: { message: "token_scope_invalid", status: 400, meaning: "`scope` is `payui`." },
  V11401: {
    message: "token_payment_request_id_invalid",
    status: 400,
    meaning: "`paymentRequestId` names no payment request of this merchant.",
  },
  V11402: {
    message: "token_payment_request_flow_conflict",
    status: 409,
    meaning: "One-time tokens are for the embedded checkout; this is a PayID or hosted-page request.",
  },

  V11500: {
    message: "sandbox_clock_seconds_invalid",
    status: 400,
    meaning: "`seconds` is a whole number from 1 to 31622400 (366 days).",
  },
  V11501: {
    message: "sandbox_clock_limit_conflict",
    status: 409,
    meaning: "The sandbox clock can be at most 20 years ahead.",
  },
} as const satisfies Record<string, Code>;
