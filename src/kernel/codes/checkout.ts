import type { Code } from "./code.ts";

/** The embedded checkout: its configuration in the merchant's page, its session, and the payer's input. */
export const CHECKOUT_CODES = {
  card_name_invalid: {
    id: "V10086",
    status: 400,
    meaning: "Send a name on the card of at most 100 characters.",
  },
  card_expiry_month_invalid: {
    id: "V10087",
    status: 400,
    meaning: "Send an expiry month from 1 to 12 that is not in the past.",
  },
  card_expiry_year_invalid: {
    id: "V10088",
    status: 400,
    meaning: "Send an expiry year of four digits, not in the past and at most 20 years ahead.",
  },
  card_security_code_invalid: {
    id: "V10089",
    status: 400,
    meaning: "Send a security code of three digits; four for American Express.",
  },
  card_number_invalid: {
    id: "V10090",
    status: 400,
    meaning: "Send a card number of 12 to 19 digits that passes the Luhn check.",
  },
  payui_config_invalid: {
    id: "V11600",
    status: 400,
    meaning: "Call `initialise` with an object that has `token`, `containerId` and `version`.",
  },
  payui_token_invalid: {
    id: "V11601",
    status: 400,
    meaning: "Pass the one-time token that `POST /tokens` returned as `token`.",
  },
  payui_container_id_invalid: {
    id: "V11602",
    status: 400,
    meaning: "Pass the id of an element on the page as `containerId`.",
  },
  payui_version_invalid: {
    id: "V11603",
    status: 400,
    meaning: "Pass a version of the checkout that exists as `version`: `1.0.0`.",
  },
  payui_theme_invalid: { id: "V11604", status: 400, meaning: "Pass `light` or `dark` as `ui.theme`." },
  payui_variable_invalid: {
    id: "V11605",
    status: 400,
    meaning:
      "`ui.variables` has a name that the guide does not list, or a value that is not a plain CSS value; fix or remove it.",
  },
  payui_frame_unreachable: {
    id: "V11606",
    status: 503,
    meaning: "The checkout's frame did not respond; check that the browser can reach the hosted origin.",
  },
  checkout_token_refused: {
    id: "V11610",
    status: 409,
    meaning:
      "The one-time token is unknown, expired, has paid, or belongs to a page of another origin; create a new one and initialise again.",
  },
  checkout_origin_refused: {
    id: "V11611",
    status: 403,
    meaning: "Add the page's origin to the account's `allowedOrigins`.",
  },
  checkout_payment_in_progress: {
    id: "V11612",
    status: 409,
    meaning: "Another payment on this request is being processed; wait for its outcome.",
  },
  checkout_total_changed: {
    id: "V11613",
    status: 400,
    meaning: "The price differs from the one shown to the payer; `expected` is the price now.",
  },
  checkout_consent_missing: {
    id: "V11614",
    status: 400,
    meaning: "The payer has to agree to storing the card.",
  },
  checkout_session_refused: {
    id: "V11615",
    status: 401,
    meaning:
      "The checkout session is unknown, has ended, or a newer one of the same token has replaced it; initialise again.",
  },
  checkout_method_refused: {
    id: "V11616",
    status: 400,
    meaning: "The payment request does not accept this payment method.",
  },
  checkout_sealed_refused: {
    id: "V11617",
    status: 409,
    meaning: "The sealed data of the challenge is older than 15 minutes or was changed; pay again.",
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
      "The wallet's token is missing or malformed; pass it on unchanged, as the wallet's script returned it.",
  },
  wallet_token_signature_invalid: {
    id: "V11621",
    status: 400,
    meaning:
      "The wallet's vendor did not sign the token, or it was changed afterwards; have the payer confirm in the wallet again.",
  },
  wallet_token_expired: {
    id: "V11622",
    status: 400,
    meaning: "The token is too old; have the payer confirm in the wallet again.",
  },
  wallet_token_for_another: {
    id: "V11623",
    status: 400,
    meaning: "The token is for another gateway, merchant or payment request.",
  },
  wallet_token_replayed: {
    id: "V11624",
    status: 409,
    meaning: "The token was used already; have the payer confirm in the wallet again.",
  },
  wallet_token_card_unusable: {
    id: "V11625",
    status: 400,
    meaning: "The card in the token has expired or can't be charged; have the payer choose another.",
  },
  wallet_token_total_differs: {
    id: "V11626",
    status: 400,
    meaning:
      "The payer agreed to a different total in the wallet than the one to be charged; have the payer confirm again.",
  },
  wallet_not_set_up: {
    id: "V11627",
    status: 403,
    meaning: "This gateway's operator has not set up this wallet.",
  },
  wallet_domain_not_registered: {
    id: "V11628",
    status: 403,
    meaning: "Register the domain of the page that embeds the checkout for Apple Pay.",
  },
  apple_pay_session_refused: {
    id: "V11629",
    status: 409,
    meaning: "Apple did not start a session for this page; try again, or pay another way.",
  },
  apple_pay_validation_url_invalid: {
    id: "V11630",
    status: 400,
    meaning: "Send the `validationURL` that Apple's script passed to the page.",
  },
  sandbox_wallet_card_unknown: {
    id: "V11631",
    status: 400,
    meaning: "This sandbox wallet has no such card; choose one of `sandboxCards`.",
  },
  checkout_browser_invalid: {
    id: "V11640",
    status: 400,
    meaning: "Send `browser` with the values that the payer's browser reports, or leave it out.",
  },
  checkout_method_completion_invalid: {
    id: "V11641",
    status: 400,
    meaning: "Send `Y` when the bank's method step was completed in time, else `N`.",
  },
  checkout_cres_invalid: {
    id: "V11642",
    status: 400,
    meaning: "Send the bank's `cres` unchanged, or leave it out.",
  },
} as const satisfies Record<string, Code>;
