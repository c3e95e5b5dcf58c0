/** The wallets, by their names in the API. */
export const WALLETS = ["apple_pay", "google_pay"] as const;
export type Wallet = (typeof WALLETS)[number];

/** The vendors' spelling, also the names of the buttons. */
export const WALLET_NAMES: Readonly<Record<Wallet, string>> = {
  apple_pay: "Apple Pay",
  google_pay: "Google Pay",
};

/** The capability that a merchant needs for each, beside that for cards. */
export const WALLET_CAPABILITIES = {
  apple_pay: "applePay",
  google_pay: "googlePay",
} as const satisfies Readonly<Record<Wallet, string>>;

/**
 * Whether a wallet has every card as the scheme's token, which the payer's device authenticates. Google Pay may return a
 * plain card number.
 */
export const HAS_TOKENS_ONLY: Readonly<Record<Wallet, boolean>> = {
  apple_pay: true,
  google_pay: false,
};
