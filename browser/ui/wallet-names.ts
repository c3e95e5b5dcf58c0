import type { Wallet } from "../../src/kernel/wallets.ts";

/** The vendors' spelling, also the names of the buttons. */
export const WALLET_NAMES: Readonly<Record<Wallet, string>> = {
  apple_pay: "Apple Pay",
  google_pay: "Google Pay",
};

/** "Apple Pay or Google Pay". */
export function walletNames(wallets: readonly Wallet[]): string {
  return wallets.map((wallet) => WALLET_NAMES[wallet]).join(" or ");
}
