import { CARD_TYPES, type CardType } from "../../kernel/card-type.ts";
import { COUNTRIES, type Country, type TimeZone } from "../../kernel/country.ts";
import { defined } from "../../kernel/defined.ts";
import type { Fees } from "../../kernel/fees.ts";
import type { Id } from "../../kernel/ids.ts";
import type { Mode } from "../../kernel/mode.ts";
import type { Currency } from "../../kernel/money.ts";
import { SOURCE_CAPABILITIES } from "../../kernel/source.ts";
import type { CalendarDay, Instant } from "../../kernel/time.ts";
import type { Wallet } from "../../kernel/wallets.ts";

export const CAPABILITIES = [
  "cardNotPresent",
  "threeDSecure",
  ...Object.values(SOURCE_CAPABILITIES),
] as const;
export type Capability = (typeof CAPABILITIES)[number];
export type Capabilities = { readonly [capability in Capability]: boolean };

/** A wallet's card is a card. */
export function takesMethod(
  { capabilities }: { readonly capabilities: Capabilities },
  method: "card" | Wallet,
): boolean {
  return capabilities.cardNotPresent && (method === "card" || capabilities[SOURCE_CAPABILITIES[method]]);
}

/** A rate applies from `from` to `until`, both included, in the merchant's time zone; without them, always. */
export type SurchargeRate = {
  readonly percent: number;
  readonly fixed: number;
  readonly from?: CalendarDay;
  readonly until?: CalendarDay;
};

export type Surcharging = {
  readonly enabled: boolean;
  readonly rates: { readonly [cardType in CardType]?: SurchargeRate };
};

/** Whether a payment goes on that 3D Secure has not authenticated: where it is unavailable, the merchant then bears the liability. */
export const THREE_D_SECURE_CHOICES = ["decline", "proceed"] as const;
type ThreeDSecureChoice = (typeof THREE_D_SECURE_CHOICES)[number];
/** What declined attempts are counted by, to recognise card testing. */
export const CARD_TESTING_KINDS = ["address", "bin", "card", "merchant"] as const;
export type CardTestingKind = (typeof CARD_TESTING_KINDS)[number];

/** How many declined attempts within some minutes are too many: from one address, of one BIN, codes on one card, in all. */
export type CardTestingLimits = { readonly [kind in CardTestingKind]: number };

export const CARD_TESTING_DEFAULTS: CardTestingLimits = { address: 45, bin: 45, card: 15, merchant: 80 };

export function limitsOf({ cardTesting }: Pick<Merchant, "cardTesting">): CardTestingLimits {
  return { ...CARD_TESTING_DEFAULTS, ...cardTesting };
}

export type DefaultTheme = {
  readonly theme?: "light" | "dark";
  /** By the names of `ui.variables`; the values can do no harm as CSS. */
  readonly variables: Readonly<Record<string, string>>;
};

export type Merchant = {
  readonly id: Id<"merchant">;
  readonly name: string;
  readonly mode: Mode;
  readonly country: Country;
  readonly currency: Currency;
  readonly capabilities: Capabilities;
  /** Pages that may embed the checkout. Empty: any page may. */
  readonly allowedOrigins: readonly string[];
  readonly surcharging: Surcharging;
  /** The bank takes no part in 3D Secure; the scheme vouches for the attempt. */
  readonly threeDSecureAttempted: ThreeDSecureChoice;
  readonly threeDSecureUnavailable: ThreeDSecureChoice;
  /** The merchant's own limits; the others have their defaults. */
  readonly cardTesting: Partial<CardTestingLimits>;
  /** The operator's fees per payment; none unless set. */
  readonly fees: Fees;
  /** The theme of its checkouts and hosted pages, where a page gives none of its own. */
  readonly theme: DefaultTheme | null;
  /** Milliseconds that this merchant's clock is ahead of real time. */
  readonly clockOffset: number;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
};

/** The time zone of dates without a time. */
export function zoneOf(merchant: Pick<Merchant, "country">): TimeZone {
  return COUNTRIES[merchant.country].zone;
}

export function currencyOf(country: Country): Currency {
  return COUNTRIES[country].currency;
}

/** A sandbox merchant has every capability; a live one starts with none until the operator enables them. */
export function initialCapabilities(mode: Mode): Capabilities {
  const all = CAPABILITIES.map((capability) => [capability, mode === "sandbox"] as const);
  return Object.fromEntries(all) as Capabilities;
}

/** The surcharge rate of that card type on that day; undefined: no surcharge. */
export function rateOn(
  merchant: Pick<Merchant, "surcharging">,
  cardType: string,
  day: CalendarDay,
): SurchargeRate | undefined {
  const { enabled, rates } = merchant.surcharging;
  const rate = (rates as Readonly<Record<string, SurchargeRate | undefined>>)[cardType];
  if (!enabled || rate === undefined) return undefined;
  const begun = rate.from === undefined || rate.from <= day;
  const over = rate.until !== undefined && rate.until < day;
  return begun && !over ? rate : undefined;
}

/** A change of the account: any subset of its fields, in nested objects too. Null removes an entry. */
export type AccountChange = {
  readonly name?: string;
  readonly country?: Country;
  readonly currencyCode?: Currency;
  readonly capabilities?: { readonly [capability in Capability]?: boolean };
  readonly allowedOrigins?: readonly string[];
  readonly surcharging?: {
    readonly enabled?: boolean;
    readonly rates?: { readonly [cardType in CardType]?: RateChange | null };
  };
  readonly threeDSecureAttempted?: ThreeDSecureChoice;
  readonly threeDSecureUnavailable?: ThreeDSecureChoice;
  readonly cardTesting?: { readonly [kind in CardTestingKind]?: number | null };
};

export type RateChange = {
  readonly percent?: number;
  readonly fixed?: number;
  readonly from?: string | null;
  readonly until?: string | null;
};

/** The account after the change. Does not check whether the change is allowed. */
export function changedAccount(merchant: Merchant, change: AccountChange): Merchant {
  return {
    ...merchant,
    name: change.name ?? merchant.name,
    country: change.country ?? merchant.country,
    currency: change.currencyCode ?? merchant.currency,
    capabilities: { ...merchant.capabilities, ...change.capabilities },
    allowedOrigins: change.allowedOrigins ?? merchant.allowedOrigins,
    surcharging: {
      enabled: change.surcharging?.enabled ?? merchant.surcharging.enabled,
      rates: changedRates(merchant.surcharging.rates, change.surcharging?.rates ?? {}),
    },
    threeDSecureAttempted: change.threeDSecureAttempted ?? merchant.threeDSecureAttempted,
    threeDSecureUnavailable: change.threeDSecureUnavailable ?? merchant.threeDSecureUnavailable,
    cardTesting: changedLimits(merchant.cardTesting, change.cardTesting ?? {}),
  };
}

function changedLimits(
  limits: Merchant["cardTesting"],
  changes: NonNullable<AccountChange["cardTesting"]>,
): Merchant["cardTesting"] {
  const entries = CARD_TESTING_KINDS.flatMap((kind) => {
    const limit = changes[kind] === undefined ? limits[kind] : changes[kind];
    return limit == null ? [] : [[kind, limit] as const];
  });
  return Object.fromEntries(entries);
}

function changedRates(
  rates: Surcharging["rates"],
  changes: { readonly [cardType in CardType]?: RateChange | null },
): Surcharging["rates"] {
  const entries = CARD_TYPES.flatMap((cardType) => {
    const change = changes[cardType];
    const rate = change === null ? undefined : changedRate(rates[cardType], change);
    return rate === undefined ? [] : [[cardType, rate] as const];
  });
  return Object.fromEntries(entries);
}

function changedRate(
  rate: SurchargeRate | undefined,
  change: RateChange | undefined,
): SurchargeRate | undefined {
  if (change === undefined) return rate;
  const from = change.from === undefined ? rate?.from : (change.from as CalendarDay | null);
  const until = change.until === undefined ? rate?.until : (change.until as CalendarDay | null);
  return defined({
    percent: change.percent ?? rate?.percent ?? 0,
    fixed: change.fixed ?? rate?.fixed ?? 0,
    from: from ?? undefined,
    until: until ?? undefined,
  });
}
