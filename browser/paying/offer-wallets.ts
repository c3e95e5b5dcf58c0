import type { Checkout } from "./checkout.ts";
import { noWalletPanel } from "./no-wallet-panel.ts";
import { makeWalletHost } from "./wallet-host.ts";

/** Shows the available wallets. If there are none and the payment request accepts no card, the page says so. */
export async function offerWallets(checkout: Checkout): Promise<void> {
  const { details, page, speech } = checkout;
  const offer = details.wallets.length === 0 ? undefined : window.tidegateWallets;
  const isOffered = offer !== undefined && (await offer(makeWalletHost(checkout)));
  if (!isOffered && !details.acceptsCard) page.showPanel("error", noWalletPanel(speech.words, details));
}
