import { WALLETS } from "./wallets.ts";

/** What a payment was made with. */
export const SOURCES = ["card", ...WALLETS, "direct_debit", "payid"] as const;
export type Source = (typeof SOURCES)[number];
