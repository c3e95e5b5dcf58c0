import type { StatusPanel } from "../ui/status-panel.ts";
import { walletNames } from "../ui/wallet-names.ts";
import type { CheckoutDetails } from "./read-responses.ts";

/** For a payment request that accepts only wallets when none of them is available here. */
export function noWalletPanel({ requestedWallets, merchantName }: CheckoutDetails): StatusPanel {
  return {
    picture: "careful",
    heading: "This payment can't be made here",
    words: [
      `It is made with ${walletNames(requestedWallets)}, which can't be used on this page in this browser. You have not been charged.`,
      `Try another device or browser, or ask ${merchantName} for another way to pay.`,
    ],
  };
}
