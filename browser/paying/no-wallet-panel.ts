import type { StatusPanel } from "../ui/status-panel.ts";
import { walletNames } from "../ui/wallet-names.ts";
import type { Opening } from "./read-responses.ts";

/** The payment request asks for wallets alone, and none of them can be had here. */
export function noWallet({ walletsAsked, merchantName }: Opening): StatusPanel {
  return {
    picture: "careful",
    heading: "This payment can't be made here",
    words: [
      `It is made with ${walletNames(walletsAsked)}, which can't be used on this page in this browser. You have not been charged.`,
      `Try another device or browser, or ask ${merchantName} for another way to pay.`,
    ],
  };
}
