import type { IncomingHttpHeaders } from "node:http";
import { verifyWebhook, type WebhookEvent, WebhookRejected } from "@tidegate/client";
import { lookUpOrder } from "../flows/look-up.ts";
import type { News } from "../orders/order.ts";
import type { Shop } from "../shop.ts";

/**
 * Handles a webhook in this order: verify the raw bytes; drop repeated ones; drop outdated ones; look the order up at the
 * gateway; store its state; only then answer 200. If a step fails, the answer is an error, and the gateway retries later.
 * Returns the HTTP status of the answer.
 */
export async function receiveWebhook(
  shop: Shop,
  body: Buffer,
  headers: IncomingHttpHeaders,
): Promise<number> {
  let event: WebhookEvent;
  try {
    event = verifyWebhook({ body, headers, key: shop.signingKey });
  } catch (error) {
    if (error instanceof WebhookRejected) return 401;
    throw error;
  }
  const { id: about, updatedDateTime: updated } = event.payload;
  // A ping, or an event of another shop on the same account.
  if (shop.orders.find(event.reference) === undefined) return 200;

  let verdict: News["verdict"] = "outdated";
  const done = await shop.inbox.once(event.id, about, async () => {
    if (shop.inbox.isOld(about, updated)) return;
    await lookUpOrder(shop, event.reference);
    shop.inbox.remember(about, updated);
    verdict = "looked up";
  });
  if (done === "repeat") verdict = "repeat";
  const news = { id: event.id, event: event.event, about, verdict };
  shop.orders.change(event.reference, (order) => ({ ...order, news: [...order.news, news] }));
  return 200;
}
