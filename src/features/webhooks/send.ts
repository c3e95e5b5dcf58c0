import { type Context, clockOf } from "../../platform/context.ts";
import type { Exchange } from "../../platform/egress/egress.ts";
import type { Merchant } from "../merchants/index.ts";
import { envelopeHeaders, type Seal } from "./envelope-headers.ts";
import { reachOf } from "./url-rules.ts";

/** One exchange with an endpoint has this long, from the look-up of its name to the end of its answer. */
const WITHIN_MS = 10_000;

/** Posts an envelope, byte for byte as it was announced. */
export async function sendEnvelope(
  ctx: Context,
  merchant: Merchant,
  url: string,
  seal: Seal,
  event: { readonly id: string; readonly body: string },
): Promise<Exchange> {
  return ctx.egress.send({
    method: "POST",
    url,
    headers: envelopeHeaders(seal, event, ctx.now(), clockOf(ctx, merchant)),
    body: event.body,
    reach: reachOf(merchant.mode),
    withinMs: WITHIN_MS,
  });
}

/** Only a 2xx acknowledges. */
export function isAcknowledged(exchange: Exchange): boolean {
  return exchange.outcome === "answered" && exchange.status >= 200 && exchange.status < 300;
}

/** Why an exchange is no acknowledgement, in one word; null when it is one. */
export function errorOf(exchange: Exchange): string | null {
  if (isAcknowledged(exchange)) return null;
  if (exchange.outcome === "failed") return exchange.reason;
  return exchange.status < 400 ? "redirect_not_followed" : "http_error";
}
