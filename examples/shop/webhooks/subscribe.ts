import type { Shop } from "../shop.ts";

/** The events that this shop needs. Refunds come as `transactions`. */
const EVENTS = ["payment_requests", "transactions", "disputes"] as const;

/** Ensures one subscription per event; an existing one is kept, or moved to this URL. */
export async function subscribe({ tidegate, settings }: Shop): Promise<void> {
  const url = settings.webhookUrl;
  for (const event of EVENTS) {
    const existing = await findSubscription({ tidegate }, event);
    if (existing === undefined) await tidegate.webhooks.create({ event, url });
    else if (existing.url !== url || existing.status !== "active") {
      await tidegate.webhooks.update(existing.id, { url, status: "active" });
    }
  }
}

async function findSubscription({ tidegate }: Pick<Shop, "tidegate">, event: string) {
  for await (const webhook of tidegate.webhooks.listAll()) if (webhook.event === event) return webhook;
  return undefined;
}
