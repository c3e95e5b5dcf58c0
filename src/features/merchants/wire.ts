import { CARD_TYPES } from "../../kernel/card-type.ts";
import { MERCHANT_COUNTRIES } from "../../kernel/country.ts";
import { MODES } from "../../kernel/mode.ts";
import { CURRENCIES } from "../../kernel/money.ts";
import {
  answer,
  flag,
  formatted,
  integer,
  list,
  nullable,
  number,
  object,
  oneOf,
  optional,
  text,
} from "../../platform/http/schema.ts";
import {
  CAPABILITIES,
  CARD_TESTING_DEFAULTS,
  CARD_TESTING_KINDS,
  type Capability,
  type CardTestingKind,
  THREE_D_SECURE_CHOICES,
} from "./merchant.ts";

const CAPABILITY_ABOUT: Readonly<Record<Capability, string>> = {
  cardNotPresent: "Cards and wallets.",
  threeDSecure: "Authentication by 3D Secure.",
  applePay: "Apple Pay.",
  googlePay: "Google Pay.",
  directDebit: "Debits of stored bank accounts.",
  payId: "Transfers to PayIDs.",
};

const capability = (name: Capability) =>
  optional(flag({ code: "account_capability_invalid", about: CAPABILITY_ABOUT[name] }));

const RATE = object(
  { code: "account_surcharging_rate_invalid", about: "Surcharge for this card type." },
  {
    percent: optional(
      number({
        code: "account_surcharging_percent_invalid",
        min: 0,
        max: 100,
        about: "Percent of the amount, at most 4 decimals.",
      }),
    ),
    fixed: optional(
      integer({
        code: "account_surcharging_fixed_invalid",
        min: 0,
        max: 1_000_000,
        about: "Cents in addition to the percentage.",
      }),
    ),
    from: optional(
      nullable(
        { code: "account_surcharging_from_invalid" },
        formatted({ code: "account_surcharging_from_invalid", format: "date", about: "First day." }),
      ),
    ),
    until: optional(
      nullable(
        { code: "account_surcharging_until_invalid" },
        formatted({ code: "account_surcharging_until_invalid", format: "date", about: "Last day." }),
      ),
    ),
  },
);

function forEach<const Name extends string, Field>(names: readonly Name[], field: (name: Name) => Field) {
  return Object.fromEntries(names.map((name) => [name, field(name)])) as { [name in Name]: Field };
}

const LIMIT_ABOUT: Readonly<Record<CardTestingKind, string>> = {
  address: "Declined attempts from one address",
  bin: "Declined attempts with cards of one BIN",
  card: "Security codes declined on one card",
  merchant: "Declined attempts in all",
};

/** A lower limit would affect payers who mistype. */
const limitOf = (kind: CardTestingKind) =>
  optional(
    nullable(
      { code: "account_card_testing_limit_invalid" },
      integer({
        code: "account_card_testing_limit_invalid",
        min: 6,
        max: 1_000_000,
        about: `${LIMIT_ABOUT[kind]}; default ${CARD_TESTING_DEFAULTS[kind]}.`,
      }),
    ),
  );

const CARD_TESTING = object(
  {
    code: "account_card_testing_invalid",
    about: "How many declines within some minutes are too many. Null restores a default.",
  },
  {
    address: limitOf("address"),
    bin: limitOf("bin"),
    card: limitOf("card"),
    merchant: limitOf("merchant"),
  },
);

/** Body of `PUT /management/account`: any subset, in nested objects too. */
export const AccountChangeInput = object(
  { code: "body_object_invalid" },
  {
    name: optional(text({ code: "account_name_invalid", about: "Shown to payers.", max: 140 })),
    country: optional(
      oneOf({
        code: "account_country_invalid",
        about:
          "Decides the account's time zone, the country that wallets show, and the first choice of an address form.",
        among: MERCHANT_COUNTRIES,
      }),
    ),
    currencyCode: optional(
      oneOf({
        code: "account_currency_code_invalid",
        about: "The default of new payments.",
        among: CURRENCIES,
      }),
    ),
    capabilities: optional(
      object(
        {
          code: "account_capabilities_invalid",
          about: "Without `cardNotPresent` the account takes neither cards nor wallets.",
        },
        forEach(CAPABILITIES, capability),
      ),
    ),
    allowedOrigins: optional(
      list(
        {
          code: "account_allowed_origins_invalid",
          max: 50,
          unique: true,
          about: "Pages that may embed the checkout; empty: any page.",
        },
        formatted({ code: "account_allowed_origin_invalid", format: "origin", free: true }),
      ),
    ),
    surcharging: optional(
      object(
        { code: "account_surcharging_invalid", about: "What card payers pay on top." },
        {
          enabled: optional(
            flag({ code: "account_surcharging_enabled_invalid", about: "Whether payers are surcharged." }),
          ),
          rates: optional(
            object(
              { code: "account_surcharging_rates_invalid", about: "By card type. Null removes a rate." },
              forEach(CARD_TYPES, () =>
                optional(nullable({ code: "account_surcharging_rate_invalid" }, RATE)),
              ),
            ),
          ),
        },
      ),
    ),
    threeDSecureAttempted: optional(
      oneOf({
        code: "account_three_d_secure_attempted_invalid",
        among: THREE_D_SECURE_CHOICES,
        about:
          "A payment whose bank takes no part in 3D Secure, so that authentication was only attempted: proceed, or decline it.",
      }),
    ),
    threeDSecureUnavailable: optional(
      oneOf({
        code: "account_three_d_secure_unavailable_invalid",
        among: THREE_D_SECURE_CHOICES,
        about:
          "A payment whose payer cannot be authenticated because 3D Secure is unavailable: decline it, or proceed without.",
      }),
    ),
    cardTesting: optional(CARD_TESTING),
  },
);

const RATE_ANSWER = answer.object({
  percent: answer.number(),
  fixed: answer.integer(),
  from: answer.optional(answer.text()),
  until: answer.optional(answer.text()),
});

export const RESULT_OK = answer.object({ mode: answer.oneOf(...MODES), status: answer.oneOf("ok") });

export const AccountAnswer = answer.object({
  id: answer.id("mer"),
  name: answer.text(),
  country: answer.oneOf(...MERCHANT_COUNTRIES),
  currencyCode: answer.oneOf(...CURRENCIES),
  capabilities: answer.object(forEach(CAPABILITIES, () => answer.flag())),
  allowedOrigins: answer.list(answer.text()),
  surcharging: answer.object({
    enabled: answer.flag(),
    rates: answer.object(forEach(CARD_TYPES, () => answer.optional(RATE_ANSWER))),
  }),
  threeDSecureAttempted: answer.oneOf(...THREE_D_SECURE_CHOICES),
  threeDSecureUnavailable: answer.oneOf(...THREE_D_SECURE_CHOICES),
  cardTesting: answer.object(forEach(CARD_TESTING_KINDS, () => answer.integer())),
  createdDateTime: answer.time(),
  updatedDateTime: answer.time(),
  result: RESULT_OK,
});
