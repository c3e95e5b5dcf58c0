import { newId } from "../../kernel/ids.ts";
import { refuse } from "../../kernel/refusal.ts";
import { claimKey } from "../../platform/idempotency/claim-key.ts";
import { clockOf, type World } from "../../platform/world.ts";
import type { RequestCaller } from "../merchants/index.ts";
import { insertWebhook } from "./queries.ts";
import { ensureSigningKey } from "./signing-key.ts";
import { refuseInsideName } from "./url-rules.ts";
import type { Webhook } from "./webhook.ts";

/** Subscribes. From this commit on every event of that value is delivered. */
export async function createWebhook(
  world: World,
  caller: RequestCaller,
  ask: { readonly event: string; readonly url: string },
): Promise<Webhook> {
  await refuseInsideName(world, ask.url, caller.mode);
  const now = clockOf(world, caller.merchant);
  const webhook: Webhook = {
    id: newId("webhook", now),
    merchantId: caller.merchantId,
    event: ask.event,
    url: ask.url,
    status: "active",
    failingSince: null,
    createdAt: now,
    updatedAt: now,
  };
  await world.db.transaction(async (tx) => {
    await claimKey(tx, caller, { id: webhook.id, path: `/webhooks/${webhook.id}` });
    await ensureSigningKey(world, tx, caller.merchant);
    if (!(await insertWebhook(tx, webhook))) refuse("webhook_event_conflict", "/event");
  });
  return webhook;
}
