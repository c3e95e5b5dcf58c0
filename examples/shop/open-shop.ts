import { createServer } from "node:http";
import { createTidegate } from "@tidegate/client";
import { openOrderBook } from "./orders/order-book.ts";
import { answerRequests } from "./server/answer-requests.ts";
import type { ShopSettings } from "./settings.ts";
import type { Shop } from "./shop.ts";
import { openInbox } from "./webhooks/inbox.ts";
import { subscribe } from "./webhooks/subscribe.ts";

export type OpenShop = { readonly url: string; readonly close: () => Promise<void> };

/** Connects to the gateway, then opens the doors. */
export async function openShop(settings: ShopSettings): Promise<OpenShop> {
  const tidegate = createTidegate({ apiKey: settings.apiKey, baseUrl: settings.gatewayUrl });
  const { signingKey } = await tidegate.webhooks.signingKey.get();
  const shop: Shop = {
    settings,
    tidegate,
    signingKey,
    book: openOrderBook(settings.stateFile),
    inbox: openInbox(),
  };

  const server = createServer(answerRequests(shop));
  await new Promise<void>((resolve, reject) => {
    server.on("error", reject);
    server.listen(settings.port, "127.0.0.1", resolve);
  });
  // Only now: whoever subscribes must be able to answer.
  await subscribe(shop);
  await registerForApplePay(shop);
  return {
    url: settings.url,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Apple Pay is offered on registered domains only. In the sandbox this machine needs no proof. */
async function registerForApplePay({ tidegate, settings }: Shop): Promise<void> {
  const domain = new URL(settings.url).hostname;
  const { domains } = await tidegate.walletDomains.list();
  if (!domains.some((one) => one.domain === domain)) await tidegate.walletDomains.register([domain]);
}
