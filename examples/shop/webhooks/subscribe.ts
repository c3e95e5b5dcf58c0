import type { Shop } from "../shop.ts";

/** All that this shop wants to hear of. Refunds come as `transactions`. */
const EVENTS = ["payment_requests", "transactions"] as const;

/** Sees to it that the gateway tells us. One subscription per event; one that is there already is kept or moved here. */
export async function subscribe({ tidegate, settings }: Shop): Promise<void> {
  const url = settings.webhookUrl;
  for (const event of EVENTS) {
    const found = await findSubscription({ tidegate }, event);
    if (found === undefined) await tidegate.webhooks.create({ event, url });
    else if (found.url !== url || found.status !== "active") {
      await tidegate.webhooks.update(found.id, { url, status: "active" });
    }
  }
}

async function findSubscription({ tidegate }: Pick<Shop, "tidegate">, event: string) {
  for await (const webhook of tidegate.webhooks.listAll()) if (webhook.event === event) return webhook;
  return undefined;
}
