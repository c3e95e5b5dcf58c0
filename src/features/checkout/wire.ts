import { ADDRESS_LIMITS, ISO_COUNTRY_CODES } from "../../kernel/billing-address.ts";
import { LANGUAGE_TAG, LONGEST_TAG } from "../../kernel/languages/language-tag.ts";
import { MAX_TOTAL_CENTS } from "../../kernel/money.ts";
import { WALLETS } from "../../kernel/wallets.ts";
import {
  flag,
  formatted,
  integer,
  object,
  oneOf,
  opaque,
  optional,
  plainText,
  type Static,
  text,
} from "../../platform/http/schema.ts";

const TAG = optional(
  formatted({ code: "payment_request_locale_invalid", max: LONGEST_TAG, pattern: LANGUAGE_TAG }),
);

/** Sent by the frame; the merchant's page never sees it. */
export const InitialiseBody = object(
  { code: "body_object_invalid" },
  {
    token: plainText({ code: "checkout_token_refused", max: 200 }),
    parentOrigin: text({ code: "checkout_origin_refused", max: 2_048 }),
    version: oneOf({ code: "payui_version_invalid", among: ["1.0.0"] }),
    /** The language that the merchant's page chose. */
    locale: TAG,
    /** The language whose texts the frame has. */
    language: TAG,
  },
);

const CARD = object(
  { code: "card_number_invalid" },
  {
    number: formatted({ code: "card_number_invalid", pattern: "^[0-9]{12,19}$" }),
    expiryMonth: integer({ code: "card_expiry_month_invalid", min: 1, max: 12 }),
    expiryYear: integer({ code: "card_expiry_year_invalid", min: 2000, max: 2200 }),
    securityCode: formatted({ code: "card_security_code_invalid", pattern: "^[0-9]{3,4}$" }),
    name: optional(plainText({ code: "card_name_invalid", min: 0, max: 100 })),
  },
);

/** One of the customer's cards that the checkout offered. */
const SAVED_CARD = object(
  { code: "checkout_saved_card_refused" },
  {
    id: plainText({ code: "checkout_saved_card_refused", max: 64 }),
    securityCode: formatted({ code: "card_security_code_invalid", pattern: "^[0-9]{3,4}$" }),
  },
);

/** The card's billing address, as far as the payment request asks for it. */
const ADDRESS = object(
  { code: "checkout_address_invalid" },
  {
    line1: optional(text({ code: "checkout_address_invalid", min: 0, max: ADDRESS_LIMITS.line1 })),
    city: optional(text({ code: "checkout_address_invalid", min: 0, max: ADDRESS_LIMITS.city })),
    state: optional(text({ code: "checkout_address_invalid", min: 0, max: ADDRESS_LIMITS.state })),
    postcode: optional(text({ code: "checkout_address_invalid", min: 0, max: ADDRESS_LIMITS.postcode })),
    country: optional(oneOf({ code: "checkout_address_invalid", among: ISO_COUNTRY_CODES })),
  },
);

/** What only a script can know of the payer's browser, for the issuer. */
const BROWSER = object(
  { code: "checkout_browser_invalid" },
  {
    language: plainText({ code: "checkout_browser_invalid", max: 35 }),
    colourDepth: integer({ code: "checkout_browser_invalid", min: 1, max: 64 }),
    screenWidth: integer({ code: "checkout_browser_invalid", min: 0, max: 999_999 }),
    screenHeight: integer({ code: "checkout_browser_invalid", min: 0, max: 999_999 }),
    timeZoneOffset: integer({ code: "checkout_browser_invalid", min: -1_440, max: 1_440 }),
    javaEnabled: flag({ code: "checkout_browser_invalid" }),
  },
);

export const PayBody = object(
  { code: "body_object_invalid" },
  {
    method: oneOf({ code: "checkout_method_refused", among: ["card", ...WALLETS] }),
    card: optional(CARD),
    savedCard: optional(SAVED_CARD),
    wallet: optional(
      object({ code: "wallet_token_unreadable" }, { token: opaque({ code: "wallet_token_unreadable" }) }),
    ),
    total: integer({ code: "checkout_total_changed", min: 0, max: MAX_TOTAL_CENTS }),
    consent: flag({ code: "checkout_consent_missing" }),
    address: optional(ADDRESS),
    browser: optional(BROWSER),
    /** The language of the page, for the receipt. */
    language: TAG,
    /** In the frame, after a decline: the attempt that the payer tries again after. */
    previousTransactionId: optional(plainText({ code: "checkout_token_refused", max: 64 })),
  },
);

export type PayInput = Static<typeof PayBody>;
export type CardInput = Static<typeof CARD>;
export type SavedCardInput = Static<typeof SAVED_CARD>;

export const RemovalBody = object(
  { code: "body_object_invalid" },
  { id: plainText({ code: "checkout_saved_card_refused", max: 64 }) },
);

export const AppleSessionBody = object(
  { code: "body_object_invalid" },
  { validationURL: plainText({ code: "apple_pay_validation_url_invalid", max: 2_048 }) },
);

export const WalletSheetBody = object(
  { code: "body_object_invalid" },
  {
    card: plainText({ code: "sandbox_wallet_card_unknown", max: 64 }),
    total: integer({ code: "checkout_total_changed", min: 1, max: MAX_TOTAL_CENTS }),
  },
);

const CRES_PATTERN = "^[A-Za-z0-9_+/=-]{1,8192}$";

export function isCres(text: string | undefined): text is string {
  return new RegExp(CRES_PATTERN).test(text ?? "");
}

export const ContinueBody = object(
  { code: "body_object_invalid" },
  {
    sealed: plainText({ code: "checkout_sealed_refused", max: 16_384 }),
    /** After the method step: whether it was completed in time. */
    methodCompletion: optional(oneOf({ code: "checkout_method_completion_invalid", among: ["Y", "N"] })),
    /** After a challenge: the bank's message. It proves nothing; the connector verifies it. */
    cres: optional(formatted({ code: "checkout_cres_invalid", pattern: CRES_PATTERN })),
  },
);

export type ContinueInput = Static<typeof ContinueBody>;

/** The language of the panel. */
export const PayIdStateBody = object({ code: "body_object_invalid" }, { language: TAG });

export const AbandonBody = object(
  { code: "body_object_invalid" },
  { session: plainText({ code: "checkout_session_refused", max: 200 }) },
);
