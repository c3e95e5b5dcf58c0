import { type Id, newId } from "../../kernel/ids.ts";
import { refuse } from "../../kernel/refusal.ts";
import { toIso } from "../../kernel/time.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import type { Static } from "../../platform/http/schema.ts";
import { claimKey, finishKeyAfter } from "../../platform/idempotency/claim-key.ts";
import { ok, type RequestCaller } from "../merchants/index.ts";
import { openSigningCredentials } from "./envelope-headers.ts";
import { presentWebhook } from "./present.ts";
import { credentialsOf, findWebhook } from "./queries.ts";
import { errorOf, sendEnvelope } from "./send.ts";
import { ensureSigningKey } from "./signing-key.ts";
import type { TestAnswer } from "./wire.ts";

/** An endpoint that hangs must not accumulate open requests: the same limit as for deliveries. */
const AT_ONCE = 4;
const inProgress = new Map<string, number>();

/**
 * Sends a signed ping and returns its outcome. A ping is not in the event log and changes nothing: it works for a disabled
 * subscription, too.
 */
export async function testWebhook(
  ctx: Context,
  caller: RequestCaller,
  webhookId: Id<"webhook">,
): Promise<Static<typeof TestAnswer>> {
  return withinLimit(`${caller.merchantId} ${webhookId}`, () => ping(ctx, caller, webhookId));
}

async function ping(
  ctx: Context,
  caller: RequestCaller,
  webhookId: Id<"webhook">,
): Promise<Static<typeof TestAnswer>> {
  const { merchant } = caller;
  const now = clockOf(ctx, merchant);
  const id = newId("event", now);
  const { webhook, signing } = await ctx.db.transaction(async (tx) => {
    await claimKey(tx, caller, { id: null, path: null, goesOn: true });
    const subscription = (await findWebhook(tx, merchant.id, webhookId)) ?? refuse("resource_not_found");
    const [credentials] = await credentialsOf(tx, [merchant.id]);
    const key = await ensureSigningKey(ctx, tx, merchant);
    return {
      webhook: subscription,
      signing: await openSigningCredentials(ctx, tx, key, credentials),
    };
  });
  const envelope = {
    id,
    reference: webhook.id,
    created: toIso(now),
    version: "1.0.0",
    event: "ping",
    payload: presentWebhook(webhook, caller.mode),
  };
  const body = JSON.stringify(envelope);
  const exchange = await finishKeyAfter(ctx, caller, () =>
    sendEnvelope(ctx, merchant, { url: webhook.url, signing, event: { id, body } }),
  );
  const error = errorOf(exchange);
  return {
    id,
    webhookId,
    event: "ping",
    status: error === null ? "delivered" : "failed",
    httpStatus: exchange.outcome === "answered" ? exchange.status : null,
    latencyMs: exchange.latencyMs,
    error,
    result: ok(caller.mode),
  };
}

async function withinLimit<Result>(name: string, send: () => Promise<Result>): Promise<Result> {
  const others = inProgress.get(name) ?? 0;
  if (others >= AT_ONCE) refuse("webhook_test_in_progress");
  inProgress.set(name, others + 1);
  try {
    return await send();
  } finally {
    const left = (inProgress.get(name) ?? 1) - 1;
    if (left === 0) inProgress.delete(name);
    else inProgress.set(name, left);
  }
}
