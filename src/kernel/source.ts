import { WALLET_CAPABILITIES, WALLET_NAMES, WALLETS } from "./wallets.ts";

/** What pays a payment request without a card. Each is the source of its transactions and the flow of its requests. */
export const RAILS = ["payid"] as const;
export type Rail = (typeof RAILS)[number];

/** Those whose payers get a page of the gateway. */
export const RAILS_WITH_PAGE = ["payid"] as const satisfies readonly Rail[];
export type RailWithPage = (typeof RAILS_WITH_PAGE)[number];

export function isRail(flow: string): flow is Rail {
  return RAILS.some((rail) => rail === flow);
}

/** What a payment was made with. */
export const SOURCES = ["card", ...WALLETS, "direct_debit", ...RAILS] as const;
export type Source = (typeof SOURCES)[number];

/** For people. */
export const SOURCE_NAMES: Readonly<Record<Source, string>> = {
  card: "Card",
  ...WALLET_NAMES,
  direct_debit: "Direct debit",
  payid: "PayID",
};

/** The capability that a merchant needs for each source that is no card itself. */
export const SOURCE_CAPABILITIES = {
  ...WALLET_CAPABILITIES,
  direct_debit: "directDebit",
  payid: "payId",
} as const satisfies Readonly<Record<Exclude<Source, "card">, string>>;
export type SourceCapability = (typeof SOURCE_CAPABILITIES)[keyof typeof SOURCE_CAPABILITIES];
