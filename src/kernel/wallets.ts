/** The wallets that a payer can pay with, as the API names them. */
export const WALLETS = ["apple_pay", "google_pay"] as const;
export type Wallet = (typeof WALLETS)[number];
