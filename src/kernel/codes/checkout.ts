import type { Code } from "./code.ts";

/** The embedded checkout: its configuration in the merchant's page, its session, and what the payer types. */
export const CHECKOUT_CODES = {
  V10086: {
    message: "card_name_invalid",
    status: 400,
    meaning: "The name on the card is at most 100 characters.",
  },
  V10087: {
    message: "card_expiry_month_invalid",
    status: 400,
    meaning: "The expiry month is 1 to 12, and not past.",
  },
  V10088: {
    message: "card_expiry_year_invalid",
    status: 400,
    meaning: "The expiry year has four digits, is not past, and is at most 20 years ahead.",
  },
  V10089: {
    message: "card_security_code_invalid",
    status: 400,
    meaning: "The security code has three digits; four on American Express.",
  },
  V10090: {
    message: "card_number_invalid",
    status: 400,
    meaning: "The card number has 12 to 19 digits and passes the Luhn check.",
  },
  V11600: {
    message: "payui_config_invalid",
    status: 400,
    meaning: "`initialise` takes an object with `token`, `containerId`, `version`.",
  },
  V11601: {
    message: "payui_token_invalid",
    status: 400,
    meaning: "`token` is the one-time token that `POST /tokens` answered.",
  },
  V11602: {
    message: "payui_container_id_invalid",
    status: 400,
    meaning: "`containerId` is the id of an element on the page.",
  },
  V11603: {
    message: "payui_version_invalid",
    status: 400,
    meaning: "`version` is a version of the checkout that exists: `1.0.0`.",
  },
  V11604: { message: "payui_theme_invalid", status: 400, meaning: "`ui.theme` is `light` or `dark`." },
  V11605: {
    message: "payui_variable_invalid",
    status: 400,
    meaning: "`ui.variables` has a name that the guide does not list, or a value that is no plain CSS value.",
  },
  V11606: {
    message: "payui_frame_unreachable",
    status: 503,
    meaning: "The checkout's frame did not answer; check that the hosted origin can be reached.",
  },
  V11610: {
    message: "checkout_token_refused",
    status: 409,
    meaning: "The one-time token is unknown, expired or already used; create a new one and initialise again.",
  },
  V11611: {
    message: "checkout_origin_refused",
    status: 403,
    meaning: "The page's origin is not among the account's `allowedOrigins`.",
  },
  V11612: {
    message: "checkout_payment_in_progress",
    status: 409,
    meaning: "Another payment on this request is being processed.",
  },
  V11613: {
    message: "checkout_total_changed",
    status: 400,
    meaning: "The price is not the one that was shown; `expected` is the price now.",
  },
  V11614: {
    message: "checkout_consent_missing",
    status: 400,
    meaning: "The payer has to agree that the card is stored.",
  },
  V11615: {
    message: "checkout_session_refused",
    status: 401,
    meaning: "There is no such checkout session, or it has ended.",
  },
  V11616: {
    message: "checkout_method_refused",
    status: 400,
    meaning: "The payment request does not take this payment method.",
  },
  V11617: {
    message: "checkout_sealed_refused",
    status: 409,
    meaning: "What the frame kept across the challenge is older than 15 minutes or was changed; pay again.",
  },
  V11618: {
    message: "checkout_acquirer_missing",
    status: 403,
    meaning: "This gateway has no acquirer for live payments; its operator has to connect one.",
  },
  V11620: {
    message: "wallet_token_unreadable",
    status: 400,
    meaning:
      "The wallet's token is missing, or is no payment token of that wallet: pass it on as its script gave it.",
  },
  V11621: {
    message: "wallet_token_signature_invalid",
    status: 400,
    meaning: "The token was not signed by the wallet's vendor, or was changed since.",
  },
  V11622: {
    message: "wallet_token_expired",
    status: 400,
    meaning: "The token is too old; have the payer confirm in the wallet again.",
  },
  V11623: {
    message: "wallet_token_for_another",
    status: 400,
    meaning: "The token was made for another gateway, merchant or payment request.",
  },
  V11624: {
    message: "wallet_token_replayed",
    status: 409,
    meaning: "The token has paid once; have the payer confirm in the wallet again.",
  },
  V11625: {
    message: "wallet_token_card_unusable",
    status: 400,
    meaning:
      "The card in the token has expired or is of a kind that can't be charged; have the payer pick another.",
  },
  V11626: {
    message: "wallet_token_total_differs",
    status: 400,
    meaning: "The payer agreed to another total in the wallet than the one that is to be charged.",
  },
  V11627: {
    message: "wallet_not_set_up",
    status: 403,
    meaning: "This gateway's operator has not set this wallet up.",
  },
  V11628: {
    message: "wallet_domain_not_registered",
    status: 403,
    meaning: "The domain of the page that embeds the checkout is not registered for Apple Pay.",
  },
  V11629: {
    message: "apple_pay_session_refused",
    status: 409,
    meaning: "Apple did not start a session for this page; try again, or pay another way.",
  },
  V11630: {
    message: "apple_pay_validation_url_invalid",
    status: 400,
    meaning: "`validationURL` is the one that Apple's script gave to the page.",
  },
  V11631: {
    message: "sandbox_wallet_card_unknown",
    status: 400,
    meaning: "There is no such card in this sandbox wallet; `sandboxCards` lists them.",
  },
} as const satisfies Record<string, Code>;
