import { newId } from "../../kernel/ids.ts";
import { refuse, refuseAll } from "../../kernel/refusal.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import { claimKey } from "../../platform/idempotency/claim-key.ts";
import type { RequestCaller } from "../merchants/index.ts";
import { insertWebhook } from "./queries.ts";
import { ensureSigningKey } from "./signing-key.ts";
import { privateNameProblems, refuseTakingCredentials } from "./url-rules.ts";
import type { Webhook } from "./webhook.ts";

/** Creates a subscription. From this commit on the gateway delivers every event of that value. */
export async function createWebhook(
  ctx: Context,
  caller: RequestCaller,
  input: { readonly event: string; readonly url: string },
): Promise<Webhook> {
  refuseAll(await privateNameProblems(ctx, input.url, caller.mode));
  const now = clockOf(ctx, caller.merchant);
  const webhook: Webhook = {
    id: newId("webhook", now),
    merchantId: caller.merchantId,
    event: input.event,
    url: input.url,
    status: "active",
    failingSince: null,
    createdAt: now,
    updatedAt: now,
  };
  await ctx.db.transaction(async (tx) => {
    await claimKey(tx, caller, { id: webhook.id, path: `/webhooks/${webhook.id}` });
    await refuseTakingCredentials(tx, caller, webhook.url);
    await ensureSigningKey(ctx, tx, caller.merchant);
    if (!(await insertWebhook(tx, webhook))) refuse("webhook_event_conflict", "/event");
  });
  return webhook;
}
