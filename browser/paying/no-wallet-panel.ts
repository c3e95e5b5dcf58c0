import type { CheckoutWords } from "../../src/kernel/languages/catalogue.ts";
import { fill } from "../../src/kernel/languages/speech.ts";
import type { StatusPanel } from "../ui/status-panel.ts";
import { walletNames } from "../ui/wallet-names.ts";
import type { CheckoutDetails } from "./read-responses.ts";

/** For a payment request that accepts only wallets when none of them is available here. */
export function noWalletPanel(
  words: CheckoutWords,
  { requestedWallets, merchantName }: CheckoutDetails,
): StatusPanel {
  return {
    picture: "careful",
    heading: words.cantPay,
    words: [
      fill(words.noWalletReason, { wallets: walletNames(words, requestedWallets) }),
      fill(words.noWalletHelp, { merchant: merchantName }),
    ],
  };
}
