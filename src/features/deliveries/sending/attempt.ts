import { type Context, clockOf } from "../../../platform/context.ts";
import type { Exchange } from "../../../platform/egress/egress.ts";
import { errorOf, isAcknowledged, sendEnvelope } from "../../webhooks/index.ts";
import { type DueDelivery, type Finding, judge, type Outcome, retryAfterOf } from "../delivery.ts";
import type { MerchantFacts } from "./merchant-facts.ts";

/** Sends an event once and says what came of it and what is next. Writes nothing. */
export async function attemptDelivery(
  ctx: Context,
  { merchant, seal }: MerchantFacts,
  delivery: DueDelivery,
  url: string,
): Promise<Outcome & { readonly finding: Finding }> {
  const attemptedAt = clockOf(ctx, merchant);
  const event = { id: delivery.eventId, body: delivery.body };
  const exchange = await sendEnvelope(ctx, merchant, url, seal, event);
  const finding = findingOf(ctx, exchange);
  return {
    delivery,
    finding,
    counted: finding.kind !== "ours",
    ...judge(delivery.failures, finding, Math.random()),
    httpStatus: exchange.outcome === "answered" ? exchange.status : null,
    latencyMs: exchange.latencyMs,
    error: errorOf(exchange),
    attemptedAt,
  };
}

function findingOf(ctx: Context, exchange: Exchange): Finding {
  if (isAcknowledged(exchange)) return { kind: "acknowledged" };
  if (exchange.outcome === "failed") {
    if (exchange.ours) return { kind: "ours" };
    return { kind: "refused", busy: exchange.reason === "timeout", retryAfter: undefined };
  }
  if (exchange.status === 410) return { kind: "gone" };
  const retryAfter = retryAfterOf(exchange.headers["retry-after"], ctx.now());
  return { kind: "refused", busy: exchange.status === 429, retryAfter };
}
