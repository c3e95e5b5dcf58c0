import { createServer } from "node:http";
import { createTidegate } from "@tidegate/client";
import { openOrderStore } from "./orders/order-store.ts";
import { answerRequests } from "./server/answer-requests.ts";
import type { ShopSettings } from "./settings.ts";
import type { Shop } from "./shop.ts";
import { openInbox } from "./webhooks/inbox.ts";
import { subscribe } from "./webhooks/subscribe.ts";

export type OpenShop = { readonly url: string; readonly close: () => Promise<void> };

/** Connects to the gateway, then starts the server. */
export async function openShop(settings: ShopSettings): Promise<OpenShop> {
  const tidegate = createTidegate({ apiKey: settings.apiKey, baseUrl: settings.gatewayUrl });
  const { signingKey } = await tidegate.webhooks.signingKey.get();
  const shop: Shop = {
    settings,
    tidegate,
    signingKey,
    orders: openOrderStore(settings.stateFile),
    inbox: openInbox(),
  };

  const server = createServer(answerRequests(shop));
  await new Promise<void>((resolve, reject) => {
    server.on("error", reject);
    server.listen(settings.port, "127.0.0.1", resolve);
  });
  // Subscribes last, because the shop must be able to receive webhooks.
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

/** Apple Pay is offered on registered domains only. In the sandbox, localhost needs no association file. */
async function registerForApplePay({ tidegate, settings }: Shop): Promise<void> {
  const domain = new URL(settings.url).hostname;
  const { domains } = await tidegate.walletDomains.list();
  if (!domains.includes(domain)) await tidegate.walletDomains.register([domain]);
}
