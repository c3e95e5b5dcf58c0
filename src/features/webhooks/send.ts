import { type Context, clockOf } from "../../platform/context.ts";
import type { Exchange } from "../../platform/egress/egress.ts";
import { type Merchant, reachFor } from "../merchants/index.ts";
import { envelopeHeaders, type SigningCredentials } from "./envelope-headers.ts";

/** The limit of one exchange, from the DNS query to the end of the answer. */
const WITHIN_MS = 10_000;

export type Envelope = {
  readonly url: string;
  readonly signing: SigningCredentials;
  readonly event: { readonly id: string; readonly body: string };
};

/** Posts an envelope, byte for byte as it was published. */
export async function sendEnvelope(
  ctx: Context,
  merchant: Merchant,
  { url, signing, event }: Envelope,
): Promise<Exchange> {
  return ctx.egress.send({
    method: "POST",
    url,
    headers: envelopeHeaders(signing, event, ctx.now(), clockOf(ctx, merchant)),
    body: event.body,
    reach: await reachFor(ctx, merchant.mode),
    withinMs: WITHIN_MS,
  });
}

/** Only a 2xx acknowledges. */
export function isAcknowledged(exchange: Exchange): boolean {
  return exchange.outcome === "answered" && exchange.status >= 200 && exchange.status < 300;
}

/** Why an exchange is not an acknowledgement, in one word; null if it is one. */
export function errorOf(exchange: Exchange): string | null {
  if (isAcknowledged(exchange)) return null;
  if (exchange.outcome === "failed") return exchange.reason;
  return exchange.status < 400 ? "redirect_not_followed" : "http_error";
}
