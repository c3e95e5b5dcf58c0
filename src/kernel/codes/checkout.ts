import type { Code } from "./code.ts";

/** The embedded checkout: its configuration in the merchant's page, its session, and what the payer types. */
export const CHECKOUT_CODES = {
  card_name_invalid: {
    id: "V10086",
    status: 400,
    meaning: "The name on the card is at most 100 characters.",
  },
  card_expiry_month_invalid: {
    id: "V10087",
    status: 400,
    meaning: "The expiry month is 1 to 12, and not past.",
  },
  card_expiry_year_invalid: {
    id: "V10088",
    status: 400,
    meaning: "The expiry year has four digits, is not past, and is at most 20 years ahead.",
  },
  card_security_code_invalid: {
    id: "V10089",
    status: 400,
    meaning: "The security code has three digits; four on American Express.",
  },
  card_number_invalid: {
    id: "V10090",
    status: 400,
    meaning: "The card number has 12 to 19 digits and passes the Luhn check.",
  },
  payui_config_invalid: {
    id: "V11600",
    status: 400,
    meaning: "`initialise` takes an object with `token`, `containerId`, `version`.",
  },
  payui_token_invalid: {
    id: "V11601",
    status: 400,
    meaning: "`token` is the one-time token that `POST /tokens` answered.",
  },
  payui_container_id_invalid: {
    id: "V11602",
    status: 400,
    meaning: "`containerId` is the id of an element on the page.",
  },
  payui_version_invalid: {
    id: "V11603",
    status: 400,
    meaning: "`version` is a version of the checkout that exists: `1.0.0`.",
  },
  payui_theme_invalid: { id: "V11604", status: 400, meaning: "`ui.theme` is `light` or `dark`." },
  payui_variable_invalid: {
    id: "V11605",
    status: 400,
    meaning: "`ui.variables` has a name that the guide does not list, or a value that is no plain CSS value.",
  },
  payui_frame_unreachable: {
    id: "V11606",
    status: 503,
    meaning: "The checkout's frame did not answer; check that the hosted origin can be reached.",
  },
  checkout_token_refused: {
    id: "V11610",
    status: 409,
    meaning: "The one-time token is unknown, expired or already used; create a new one and initialise again.",
  },
  checkout_origin_refused: {
    id: "V11611",
    status: 403,
    meaning: "The page's origin is not among the account's `allowedOrigins`.",
  },
  checkout_payment_in_progress: {
    id: "V11612",
    status: 409,
    meaning: "Another payment on this request is being processed.",
  },
  checkout_total_changed: {
    id: "V11613",
    status: 400,
    meaning: "The price is not the one that was shown; `expected` is the price now.",
  },
  checkout_consent_missing: {
    id: "V11614",
    status: 400,
    meaning: "The payer has to agree that the card is stored.",
  },
  checkout_session_refused: {
    id: "V11615",
    status: 401,
    meaning: "There is no such checkout session, or it has ended.",
  },
  checkout_method_refused: {
    id: "V11616",
    status: 400,
    meaning: "The payment request does not take this payment method.",
  },
  checkout_sealed_refused: {
    id: "V11617",
    status: 409,
    meaning: "What the frame kept across the challenge is older than 15 minutes or was changed; pay again.",
  },
  checkout_acquirer_missing: {
    id: "V11618",
    status: 403,
    meaning: "This gateway has no acquirer for live payments; its operator has to connect one.",
  },
  wallet_token_unreadable: {
    id: "V11620",
    status: 400,
    meaning:
      "The wallet's token is missing, or is no payment token of that wallet: pass it on as its script gave it.",
  },
  wallet_token_signature_invalid: {
    id: "V11621",
    status: 400,
    meaning: "The token was not signed by the wallet's vendor, or was changed since.",
  },
  wallet_token_expired: {
    id: "V11622",
    status: 400,
    meaning: "The token is too old; have the payer confirm in the wallet again.",
  },
  wallet_token_for_another: {
    id: "V11623",
    status: 400,
    meaning: "The token was made for another gateway, merchant or payment request.",
  },
  wallet_token_replayed: {
    id: "V11624",
    status: 409,
    meaning: "The token has paid once; have the payer confirm in the wallet again.",
  },
  wallet_token_card_unusable: {
    id: "V11625",
    status: 400,
    meaning:
      "The card in the token has expired or is of a kind that can't be charged; have the payer pick another.",
  },
  wallet_token_total_differs: {
    id: "V11626",
    status: 400,
    meaning: "The payer agreed to another total in the wallet than the one that is to be charged.",
  },
  wallet_not_set_up: {
    id: "V11627",
    status: 403,
    meaning: "This gateway's operator has not set this wallet up.",
  },
  wallet_domain_not_registered: {
    id: "V11628",
    status: 403,
    meaning: "The domain of the page that embeds the checkout is not registered for Apple Pay.",
  },
  apple_pay_session_refused: {
    id: "V11629",
    status: 409,
    meaning: "Apple did not start a session for this page; try again, or pay another way.",
  },
  apple_pay_validation_url_invalid: {
    id: "V11630",
    status: 400,
    meaning: "`validationURL` is the one that Apple's script gave to the page.",
  },
  sandbox_wallet_card_unknown: {
    id: "V11631",
    status: 400,
    meaning: "There is no such card in this sandbox wallet; `sandboxCards` lists them.",
  },
} as const satisfies Record<string, Code>;
