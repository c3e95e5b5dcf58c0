import type { CheckoutWords } from "../../src/kernel/languages/catalogue.ts";
import { fill } from "../../src/kernel/languages/speech.ts";
import { WALLET_NAMES, type Wallet } from "../../src/kernel/wallets.ts";

/** "Apple Pay or Google Pay". */
export function walletNames({ or }: Pick<CheckoutWords, "or">, wallets: readonly Wallet[]): string {
  const names = wallets.map((wallet) => WALLET_NAMES[wallet]);
  return names.reduce((one, other) => (one === "" ? other : fill(or, { one, other })), "");
}
