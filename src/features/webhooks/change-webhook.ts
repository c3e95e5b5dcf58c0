import type { Id } from "../../kernel/ids.ts";
import { nextState } from "../../kernel/lifecycle.ts";
import { refuse, refuseAll } from "../../kernel/refusal.ts";
import { changeTime } from "../../kernel/time.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import { claimKey } from "../../platform/idempotency/claim-key.ts";
import type { RequestCaller } from "../merchants/index.ts";
import { deleteWebhookRow, lockWebhook, updateWebhook } from "./queries.ts";
import { privateNameProblems, refuseTakingCredentials } from "./url-rules.ts";
import { lifecycle, type Webhook, type WebhookStatus } from "./webhook.ts";

export type WebhookChange = { readonly url?: string; readonly status?: WebhookStatus };

/** Changes URL, status or both. Enabling resets the record of failures. */
export async function changeWebhook(
  ctx: Context,
  caller: RequestCaller,
  id: Id<"webhook">,
  change: WebhookChange,
): Promise<Webhook> {
  refuseAll(await privateNameProblems(ctx, change.url, caller.mode));
  return ctx.db.transaction(async (tx) => {
    await claimKey(tx, caller, { id, path: `/webhooks/${id}` });
    const before = (await lockWebhook(tx, caller.merchantId, id)) ?? refuse("resource_not_found");
    if (change.url !== undefined) await refuseTakingCredentials(tx, caller, change.url);
    const after = changed(before, change);
    if (after === before) return before;
    const updated = { ...after, updatedAt: changeTime(clockOf(ctx, caller.merchant), before.updatedAt) };
    await updateWebhook(tx, updated);
    return updated;
  });
}

function changed(webhook: Webhook, { url = webhook.url, status = webhook.status }: WebhookChange): Webhook {
  if (url === webhook.url && status === webhook.status) return webhook;
  const trigger = status === "active" ? "enable" : "disable";
  const next = status === webhook.status ? status : nextState(lifecycle, webhook.status, trigger);
  const isReset = url !== webhook.url || next !== webhook.status;
  return { ...webhook, url, status: next ?? status, failingSince: isReset ? null : webhook.failingSince };
}

/** The deliverer closes its pending deliveries. */
export async function deleteWebhook(
  ctx: Context,
  caller: RequestCaller,
  id: Id<"webhook">,
): Promise<Webhook["id"]> {
  await ctx.db.transaction(async (tx) => {
    await claimKey(tx, caller, { id, path: `/webhooks/${id}` });
    if (!(await deleteWebhookRow(tx, caller.merchantId, id))) refuse("resource_not_found");
  });
  return id;
}
