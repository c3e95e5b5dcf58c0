import type { Checkout } from "./checkout.ts";
import { noWallet } from "./no-wallet-panel.ts";
import { makeWalletHost } from "./wallet-host.ts";

/** Shows the wallets that can be had here. Where nothing else can be paid with and there is none, the page says so. */
export async function offerWallets(checkout: Checkout): Promise<void> {
  const { opening, page } = checkout;
  const offer = opening.wallets.length === 0 ? undefined : window.tidegateWallets;
  const some = offer !== undefined && (await offer(makeWalletHost(checkout)));
  if (!some && !opening.takesCard) page.showPanel("error", noWallet(opening));
}
