import type { Webhook, WebhookPayloads } from "./generated/api.ts";
import { verifyWebhook as verifyEnvelope, type WebhookEnvelope, type WebhookRequest } from "./webhooks.ts";

export {
  type RejectionReason,
  type WebhookHeaders,
  WebhookRejected,
  type WebhookRequest,
} from "./webhooks.ts";

/** What each event carries: the resource as its GET returns it. `ping` is the test, with your subscription. */
type Payloads = WebhookPayloads & { readonly ping: Webhook };

/**
 * An event as it is delivered: `event` decides the type of `payload`. A newer gateway may send events that this version
 * does not know; answer them with 200 and ignore them.
 */
export type WebhookEvent = {
  [Event in keyof Payloads]: Omit<WebhookEnvelope, "event" | "payload"> & {
    readonly event: Event;
    readonly payload: Payloads[Event];
  };
}[keyof Payloads];

/**
 * Returns the event if the request is a webhook signed with your key; throws `WebhookRejected` otherwise, and a `TypeError`
 * if your key is empty. The Standard Webhooks headers decide if present, else `X-Signature` (with `X-Signature-Previous`,
 * which is sent for a day after a key was replaced).
 */
export function verifyWebhook(request: WebhookRequest): WebhookEvent {
  return verifyEnvelope(request) as unknown as WebhookEvent;
}
