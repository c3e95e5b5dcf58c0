import { nextState } from "../../../kernel/lifecycle.ts";
import { changeTime, type Instant } from "../../../kernel/time.ts";
import type { Context } from "../../../platform/context.ts";
import {
  GIVEN_UP_AFTER,
  lockWebhook,
  updateWebhook,
  type Webhook,
  webhookLifecycle,
} from "../../webhooks/index.ts";
import type { Finding } from "../delivery.ts";

/**
 * Keeps the health of an endpoint: when it began to fail, and whether that is too long ago. 410 ends a subscription at
 * once. Almost always there is nothing to write; otherwise it gives the subscription as it is now. `at` is the
 * merchant's time.
 */
export async function noteHealth(
  ctx: Context,
  webhook: Webhook,
  finding: Finding,
  at: Instant,
): Promise<Webhook | undefined> {
  if (finding.kind === "ours" || judged(webhook, finding, at) === webhook) return undefined;
  return ctx.db.transaction(async (tx) => {
    const held = await lockWebhook(tx, webhook.merchantId, webhook.id);
    // What was learned about one URL says nothing about the next.
    if (held === undefined || held.url !== webhook.url) return undefined;
    const after = judged(held, finding, at);
    if (after !== held) await updateWebhook(tx, after);
    return after;
  });
}

/** The subscription as it is after that finding; the same object when nothing changes. */
export function judged(webhook: Webhook, finding: Finding, at: Instant): Webhook {
  if (webhook.status !== "active") return webhook;
  if (finding.kind === "acknowledged") {
    return webhook.failingSince === null ? webhook : { ...webhook, failingSince: null };
  }
  const since = webhook.failingSince ?? at;
  const dead = finding.kind === "gone" || at - since >= GIVEN_UP_AFTER;
  if (!dead) return webhook.failingSince === null ? { ...webhook, failingSince: since } : webhook;
  const status = nextState(webhookLifecycle, webhook.status, "disable") ?? webhook.status;
  return { ...webhook, status, failingSince: since, updatedAt: changeTime(at, webhook.updatedAt) };
}
