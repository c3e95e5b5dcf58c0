/** Wallets as payment requests name them. */
export type WalletType = "apple_pay" | "google_pay";

export const WALLET_TYPES: readonly WalletType[] = ["apple_pay", "google_pay"];

/** The vendor's spelling, also the button's name. */
export function walletName(type: WalletType): string {
  return type === "apple_pay" ? "Apple Pay" : "Google Pay";
}

/** "Apple Pay or Google Pay". */
export function walletNames(types: readonly WalletType[]): string {
  return types.map(walletName).join(" or ");
}
