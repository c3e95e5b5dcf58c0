import type { IncomingHttpHeaders } from "node:http";
import { verifyWebhook, type WebhookEvent, WebhookRejected } from "@tidegate/client";
import { lookUpOrder } from "../flows/look-up.ts";
import type { News } from "../orders/order.ts";
import type { Shop } from "../shop.ts";

/**
 * Takes a webhook in, in this order: verify the raw bytes; drop what was handled; drop what is older than what we know; ask
 * the gateway how things stand; write that down; only then say 200. If anything fails we say so, and the gateway tries
 * again later. Gives the HTTP status to answer with.
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
  // A ping, or something of another shop on the same account.
  if (typeof about !== "string" || typeof updated !== "string") return 200;
  if (shop.book.find(event.reference) === undefined) return 200;

  let verdict: News["verdict"] = "old news";
  const done = await shop.inbox.once(event.id, about, async () => {
    if (shop.inbox.isOld(about, updated)) return;
    await lookUpOrder(shop, event.reference);
    shop.inbox.remember(about, updated);
    verdict = "looked up";
  });
  if (done === "repeat") verdict = "repeat";
  const news = { id: event.id, event: event.event, about, verdict };
  shop.book.change(event.reference, (order) => ({ ...order, news: [...order.news, news] }));
  return 200;
}
