import { nextState } from "../../../kernel/lifecycle.ts";
import { changeTime, type Instant } from "../../../kernel/time.ts";
import type { Context } from "../../../platform/context.ts";
import {
  DISABLED_AFTER,
  lockWebhook,
  updateWebhook,
  type Webhook,
  webhookLifecycle,
} from "../../webhooks/index.ts";
import type { AttemptResult } from "../delivery.ts";

/**
 * Records since when an endpoint fails, and disables its subscription after five days of failures or a 410. Almost always
 * there is nothing to write; otherwise returns the changed subscription. `at` is the merchant's time.
 */
export async function updateHealth(
  ctx: Context,
  webhook: Webhook,
  result: AttemptResult,
  at: Instant,
): Promise<Webhook | undefined> {
  if (result.kind === "not_sent" || healthAfter(webhook, result, at) === webhook) return undefined;
  return ctx.db.transaction(async (tx) => {
    const before = await lockWebhook(tx, webhook.merchantId, webhook.id);
    // A result at the old URL does not apply to a new one.
    if (before === undefined || before.url !== webhook.url) return undefined;
    const after = healthAfter(before, result, at);
    if (after !== before) await updateWebhook(tx, after);
    return after;
  });
}

/** The subscription after that result; the same object if nothing changes. */
function healthAfter(webhook: Webhook, result: AttemptResult, at: Instant): Webhook {
  if (webhook.status !== "active") return webhook;
  if (result.kind === "acknowledged") {
    return webhook.failingSince === null ? webhook : { ...webhook, failingSince: null };
  }
  const since = webhook.failingSince ?? at;
  const isDead = result.kind === "gone" || at - since >= DISABLED_AFTER;
  if (!isDead) return webhook.failingSince === null ? { ...webhook, failingSince: since } : webhook;
  const status = nextState(webhookLifecycle, webhook.status, "disable") ?? webhook.status;
  return { ...webhook, status, failingSince: since, updatedAt: changeTime(at, webhook.updatedAt) };
}
