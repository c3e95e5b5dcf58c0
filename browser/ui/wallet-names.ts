/** Wallets by the names that payment requests have for them. */
export type WalletType = "apple_pay" | "google_pay";

export const WALLET_TYPES: readonly WalletType[] = ["apple_pay", "google_pay"];

/** As their vendors write them, and as their buttons are called. */
export function walletName(type: WalletType): string {
  return type === "apple_pay" ? "Apple Pay" : "Google Pay";
}

/** "Apple Pay or Google Pay". */
export function walletNames(types: readonly WalletType[]): string {
  return types.map(walletName).join(" or ");
}
