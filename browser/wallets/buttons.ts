import { WALLET_NAMES, type Wallet } from "../../src/kernel/wallets.ts";
import { type Html, html } from "../ui/html.ts";

/**
 * Our own drawings by the vendors' rules: mark and word in one line, dark on light pages and light on dark ones. They load
 * nothing. Safari draws Apple's button itself.
 */
const MARKS: Readonly<Record<Wallet, Html>> = {
  apple_pay: html`<path fill="currentColor" d="M12 7.4c.9-.6 2.2-1.1 3.5-1 1.5.1 2.8.8 3.6 1.9-1.4.9-2.2 2.2-2.2 3.7 0 1.9 1.1 3.3 2.7 3.9-.5 1.4-1.2 2.7-2.1 3.9-.8 1.1-1.7 1.9-2.8 1.9-1 0-1.5-.6-2.7-.6s-1.8.6-2.8.6c-1.1 0-2-.9-2.8-2-1.9-2.6-2.7-5.6-2.2-8.3.5-3 2.3-5.1 4.8-5.1 1.1 0 2.2.4 3 1.1zM11.8 5.9c-.1-2.2 1.5-4.1 3.7-4.5.2 2.3-1.6 4.3-3.7 4.5z"/>`,
  google_pay: html`<g fill="none" stroke-width="3.7"><path stroke="#ea4335" d="M18.1 6.9A8 8 0 0 0 5.1 8"/><path stroke="#fbbc04" d="M5.1 8a8 8 0 0 0 0 8"/><path stroke="#34a853" d="M5.1 16a8 8 0 0 0 12 2.1"/><path stroke="#4285f4" d="M17.1 18.1A8 8 0 0 0 20 12h-7.6"/></g>`,
};

/** Hidden until the wallet is known to be available. */
export function walletButton(type: Wallet): Html {
  return html`<button class="wallet wallet-${type}" type="button" aria-label="${WALLET_NAMES[type]}" hidden><span class="wallet-drawing" aria-hidden="true"><svg viewBox="0 0 24 24" width="22" height="22" focusable="false">${MARKS[type]}</svg>Pay</span></button>`;
}
