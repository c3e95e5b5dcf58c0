import { type Context, clockOf } from "../../../platform/context.ts";
import type { Exchange } from "../../../platform/egress/egress.ts";
import { errorOf, isAcknowledged, sendEnvelope } from "../../webhooks/index.ts";
import {
  type AttemptResult,
  type DueDelivery,
  nextStep,
  type Outcome,
  parseRetryAfter,
} from "../delivery.ts";
import type { MerchantFacts } from "./merchant-facts.ts";

/** An outcome to write, and the result that it follows from. */
export type AttemptReport = Outcome & { readonly result: AttemptResult };

/** Sends an event once and returns the outcome with the next step. Writes nothing. */
export async function attemptDelivery(
  ctx: Context,
  { merchant, signing }: MerchantFacts,
  delivery: DueDelivery,
  url: string,
): Promise<AttemptReport> {
  const attemptedAt = clockOf(ctx, delivery);
  const event = { id: delivery.eventId, body: delivery.body };
  const exchange = await sendEnvelope(ctx, merchant, { url, signing, event });
  const result = resultOf(ctx, exchange);
  return {
    delivery,
    result,
    isCounted: result.kind !== "not_sent",
    ...nextStep(delivery.failures, result, Math.random()),
    httpStatus: exchange.outcome === "answered" ? exchange.status : null,
    latencyMs: exchange.latencyMs,
    error: errorOf(exchange),
    attemptedAt,
  };
}

function resultOf(ctx: Context, exchange: Exchange): AttemptResult {
  if (isAcknowledged(exchange)) return { kind: "acknowledged" };
  if (exchange.outcome === "failed") {
    if (exchange.isOurs) return { kind: "not_sent" };
    return { kind: "failed", isBusy: exchange.reason === "timeout", retryAfter: undefined };
  }
  if (exchange.status === 410) return { kind: "gone" };
  const retryAfter = parseRetryAfter(exchange.headers["retry-after"], ctx.now());
  return { kind: "failed", isBusy: exchange.status === 429 || exchange.isLate, retryAfter };
}
