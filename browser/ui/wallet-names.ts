import { WALLET_NAMES, type Wallet } from "../../src/kernel/wallets.ts";

/** "Apple Pay or Google Pay". */
export function walletNames(wallets: readonly Wallet[]): string {
  return wallets.map((wallet) => WALLET_NAMES[wallet]).join(" or ");
}
