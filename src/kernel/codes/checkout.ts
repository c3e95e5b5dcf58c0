import type { Code } from "./code.ts";

/** The embedded checkout: its configuration in the merchant's page, its session, and the payer's input. */
export const CHECKOUT_CODES = {
  card_name_invalid: {
    id: "V10086",
    status: 400,
    meaning: "Send a name on the card of at most 100 characters, not a number.",
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
    meaning:
      "Call `initialise` with an object that has `token`, `containerId` and `version`, from a page that loads `payui.js` by a script tag.",
  },
  payui_token_invalid: {
    id: "V11601",
    status: 400,
    meaning: "Pass the token that `POST /tokens` or the PayID's payment request returned as `token`.",
  },
  payui_container_id_invalid: {
    id: "V11602",
    status: 400,
    meaning: "Pass the id of an element that is on the page when `initialise` is called as `containerId`.",
  },
  payui_version_invalid: {
    id: "V11603",
    status: 400,
    meaning: "Pass a version of the checkout that exists as `version`: `1.0.0`.",
  },
  payui_frame_unreachable: {
    id: "V11606",
    status: 503,
    meaning:
      "Check that the gateway is running and that the page's Content-Security-Policy allows its hosted origin in `frame-src`.",
  },
  checkout_token_refused: {
    id: "V11610",
    status: 409,
    meaning:
      "Create a new one-time token and initialise again; this one is unknown, expired, has paid, or belongs to a page of another origin.",
  },
  checkout_origin_refused: {
    id: "V11611",
    status: 403,
    meaning: "Add the page's origin to the account's `allowedOrigins`.",
  },
  checkout_payment_in_progress: {
    id: "V11612",
    status: 409,
    meaning: "Wait for the outcome of the payment on this request that is being processed.",
  },
  checkout_total_changed: {
    id: "V11613",
    status: 400,
    meaning:
      "Show the payer the price in `expected` and let the payer confirm it; it differs from the one that was shown.",
  },
  checkout_consent_missing: {
    id: "V11614",
    status: 400,
    meaning: "Let the payer agree to storing the card.",
  },
  checkout_session_refused: {
    id: "V11615",
    status: 401,
    meaning:
      "Initialise again, with a new one-time token if this one has paid or expired; this checkout session is unknown, has ended, or a newer one has replaced it.",
  },
  checkout_method_refused: {
    id: "V11616",
    status: 400,
    meaning:
      "Pay with a method that the payment request lists in `paymentMethods` and that the merchant account takes.",
  },
  checkout_cards_refused: {
    id: "V11645",
    status: 403,
    meaning:
      "Have `cardNotPresent` enabled; the merchant account takes neither cards nor wallets since the payment request was created.",
  },
  checkout_sealed_refused: {
    id: "V11617",
    status: 409,
    meaning: "Pay again; the data of the challenge is older than 15 minutes or was changed.",
  },
  checkout_acquirer_missing: {
    id: "V11618",
    status: 403,
    meaning:
      "Have the gateway's operator connect an acquirer account that takes this currency and card type; none is active.",
  },
  checkout_saved_card_refused: {
    id: "V11643",
    status: 400,
    meaning:
      "Pay with another card; this one is not a saved card of the payment request's customer, was removed, or has expired.",
  },
  checkout_address_invalid: {
    id: "V11646",
    status: 400,
    meaning:
      "Send the parts of the card's billing address that `transactionRequest.collectAddress` asks for, each within its length, and no others.",
  },
  checkout_removal_refused: {
    id: "V11644",
    status: 403,
    meaning:
      "Create the payment request with `customerRequest.allowRemoval` to let the payer remove saved cards.",
  },
  acquirer_notification_refused: {
    id: "V11690",
    status: 401,
    meaning: "Send the notification as the acquirer signed it; its signature or content is wrong.",
  },
  acquirer_notification_early: {
    id: "V11691",
    status: 409,
    meaning: "Send the notification again later; the one about the capture of this payment has not arrived.",
  },
  checkout_attempts_too_many: {
    id: "V11619",
    status: 429,
    meaning:
      "Wait as long as `Retry-After` says; too many payments were declined just before, and nothing was charged.",
  },
  wallet_token_unreadable: {
    id: "V11620",
    status: 400,
    meaning:
      "Pass the wallet's token on unchanged, as the wallet's script returned it; this one is missing or malformed.",
  },
  wallet_token_signature_invalid: {
    id: "V11621",
    status: 400,
    meaning:
      "Have the payer confirm in the wallet again; its vendor did not sign this token, or the token was changed afterwards.",
  },
  wallet_token_expired: {
    id: "V11622",
    status: 400,
    meaning: "Have the payer confirm in the wallet again; this token is too old.",
  },
  wallet_token_for_another: {
    id: "V11623",
    status: 400,
    meaning:
      "Send the token that the wallet made for this payment request; this one is for another gateway, merchant or payment request.",
  },
  wallet_token_replayed: {
    id: "V11624",
    status: 409,
    meaning: "Have the payer confirm in the wallet again; this token was used already.",
  },
  wallet_token_card_unusable: {
    id: "V11625",
    status: 400,
    meaning: "Have the payer choose another card; the one in the token has expired or can't be charged.",
  },
  wallet_token_total_differs: {
    id: "V11626",
    status: 400,
    meaning:
      "Have the payer confirm again; the total that the payer agreed to in the wallet is not the one to be charged.",
  },
  wallet_not_set_up: {
    id: "V11627",
    status: 403,
    meaning: "Have the gateway's operator set up this wallet, or leave it out of `paymentMethods`.",
  },
  wallet_domain_not_registered: {
    id: "V11628",
    status: 403,
    meaning:
      "Register the domain of the page that embeds the checkout for Apple Pay with `POST /management/applepaydomains`.",
  },
  apple_pay_session_refused: {
    id: "V11629",
    status: 409,
    meaning: "Try again or pay another way; Apple did not start a session for this page.",
  },
  apple_pay_validation_url_invalid: {
    id: "V11630",
    status: 400,
    meaning: "Send the `validationURL` that Apple's script passed to the page.",
  },
  sandbox_wallet_card_unknown: {
    id: "V11631",
    status: 400,
    meaning: "Choose one of `sandboxCards`; this sandbox wallet has no such card.",
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
