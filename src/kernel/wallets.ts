/** The wallets, by their names in the API. */
export const WALLETS = ["apple_pay", "google_pay"] as const;
export type Wallet = (typeof WALLETS)[number];
