import { type Id, newId } from "../../kernel/ids.ts";
import { refuse } from "../../kernel/refusal.ts";
import { toIso } from "../../kernel/time.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import type { Static } from "../../platform/http/schema.ts";
import { claimKey } from "../../platform/idempotency/claim-key.ts";
import { ok, type RequestCaller } from "../merchants/index.ts";
import { openSeal } from "./envelope-headers.ts";
import { presentWebhook } from "./present.ts";
import { credentialsOf, findWebhook } from "./queries.ts";
import { errorOf, sendEnvelope } from "./send.ts";
import { ensureSigningKey } from "./signing-key.ts";
import type { TestAnswer } from "./wire.ts";

/** An endpoint that hangs must not collect open requests of ours: as many at once as deliveries. */
const AT_ONCE = 4;
const underWay = new Map<string, number>();

/**
 * Sends a ping and says what came of it. It is signed like any other, it is no event of the log, and it changes nothing:
 * a disabled subscription can be tried, too.
 */
export async function testWebhook(
  ctx: Context,
  caller: RequestCaller,
  webhookId: Id<"webhook">,
): Promise<Static<typeof TestAnswer>> {
  return oneOfFew(`${caller.merchantId} ${webhookId}`, () => ping(ctx, caller, webhookId));
}

async function ping(
  ctx: Context,
  caller: RequestCaller,
  webhookId: Id<"webhook">,
): Promise<Static<typeof TestAnswer>> {
  const { merchant } = caller;
  const now = clockOf(ctx, merchant);
  const id = newId("event", now);
  const { webhook, seal } = await ctx.db.transaction(async (tx) => {
    await claimKey(tx, caller, { id, path: null });
    const found = (await findWebhook(tx, merchant.id, webhookId)) ?? refuse("resource_not_found");
    const [credentials] = await credentialsOf(tx, [merchant.id]);
    const key = await ensureSigningKey(ctx, tx, merchant);
    return { webhook: found, seal: await openSeal(ctx, tx, key, credentials) };
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
  const exchange = await sendEnvelope(ctx, merchant, webhook.url, seal, { id, body });
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

async function oneOfFew<Result>(name: string, send: () => Promise<Result>): Promise<Result> {
  const others = underWay.get(name) ?? 0;
  if (others >= AT_ONCE) refuse("webhook_test_in_progress");
  underWay.set(name, others + 1);
  try {
    return await send();
  } finally {
    const left = (underWay.get(name) ?? 1) - 1;
    if (left === 0) underWay.delete(name);
    else underWay.set(name, left);
  }
}
