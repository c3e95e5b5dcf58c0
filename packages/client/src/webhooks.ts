/**
 * Verifies webhooks of Tidegate. No dependencies: this file can be imported or copied. It needs Node.
 *
 * Always verify the raw body, before any parser has touched it: the signature is over its exact bytes.
 */
import { createHmac, timingSafeEqual } from "node:crypto";

/** An event as it is delivered. `payload` is the resource as its GET returns it; the client package types it by event. */
export type WebhookEnvelope = {
  readonly id: string;
  readonly reference: string;
  readonly created: string;
  readonly version: string;
  readonly event: string;
  readonly payload: Readonly<Record<string, unknown>>;
};

/** Why a request is not a valid webhook. Answer 401. */
export type RejectionReason = "signature_missing" | "signature_wrong" | "too_old" | "not_an_event";

export class WebhookRejected extends Error {
  override readonly name = "WebhookRejected";
  readonly reason: RejectionReason;

  constructor(reason: RejectionReason) {
    super(`the webhook is rejected: ${reason}`);
    this.reason = reason;
  }
}

type HeaderValue = string | readonly string[] | undefined;
/** Headers of Node's `http`, of Express and Fastify, or of `fetch`. */
export type WebhookHeaders = Readonly<Record<string, HeaderValue>> | { get(name: string): string | null };

export type WebhookRequest = {
  /** The body as received: bytes or text, never parsed and serialised again. */
  readonly body: string | Uint8Array;
  readonly headers: WebhookHeaders;
  /** `signingKey`, or `standardWebhooksSecret` (`whsec_…`); several while you replace a key. None may be empty. */
  readonly key: string | readonly string[];
  /** Rejects deliveries whose timestamp differs by more. Default: 5 minutes; applies to the Standard Webhooks headers. */
  readonly maxAgeSeconds?: number;
  /** Accepts only the Standard Webhooks headers, whose signature covers the sending time, so no old delivery passes. */
  readonly standardOnly?: boolean;
  /** Milliseconds since 1970; for tests. */
  readonly now?: number;
};

const STANDARD_AGE_SECONDS = 300;

/**
 * Returns the event if the request is a webhook signed with your key; throws `WebhookRejected` otherwise, and a `TypeError`
 * if your key is empty. The Standard Webhooks headers decide if present, else `X-Signature` (with `X-Signature-Previous`,
 * which is sent for a day after a key was replaced).
 */
export function verifyWebhook(request: WebhookRequest): WebhookEnvelope {
  const body =
    typeof request.body === "string" ? Buffer.from(request.body, "utf8") : Buffer.from(request.body);
  const keys = [request.key].flat().map(keyBytes);
  const header = (name: string) => headerOf(request.headers, name);
  const standard = header("webhook-signature");
  if (standard !== undefined) {
    const [id = "", timestamp = ""] = [header("webhook-id"), header("webhook-timestamp")];
    const signed = Buffer.concat([Buffer.from(`${id}.${timestamp}.`, "utf8"), body]);
    const signatures = standard.split(" ").filter((one) => one.startsWith("v1,"));
    check(
      keys,
      signed,
      signatures.map((one) => Buffer.from(one.slice(3), "base64")),
    );
    refuseOld(timestamp, request);
  } else {
    const signatures = [header("x-signature"), header("x-signature-previous")].filter(
      (one) => one !== undefined,
    );
    if (signatures.length === 0 || request.standardOnly === true)
      throw new WebhookRejected("signature_missing");
    check(
      keys,
      body,
      signatures.map((one) => Buffer.from(one, "hex")),
    );
  }
  return eventOf(body);
}

/** Compares every key with every signature, each in constant time. */
function check(keys: readonly Buffer[], signed: Buffer, signatures: readonly Buffer[]): void {
  let matches = 0;
  for (const key of keys) {
    const expected = createHmac("sha256", key).update(signed).digest();
    for (const one of signatures)
      if (one.length === expected.length && timingSafeEqual(one, expected)) matches += 1;
  }
  if (matches === 0) throw new WebhookRejected("signature_wrong");
}

function refuseOld(
  timestamp: string,
  { maxAgeSeconds = STANDARD_AGE_SECONDS, now = Date.now() }: WebhookRequest,
) {
  const age = Math.abs(now / 1_000 - Number(timestamp));
  if (!/^\d{1,12}$/.test(timestamp) || age > maxAgeSeconds) throw new WebhookRejected("too_old");
}

/** The event's name is under `event`; some old payloads have it under `eventType`. */
function eventOf(body: Buffer): WebhookEnvelope {
  const read = parsed(body);
  const event = read?.["event"] ?? read?.["eventType"];
  const payload = read?.["payload"];
  const isObject = typeof payload === "object" && payload !== null && !Array.isArray(payload);
  if (typeof event !== "string" || typeof read?.["id"] !== "string" || !isObject)
    throw new WebhookRejected("not_an_event");
  const { eventType: _, ...rest } = read;
  return { ...rest, event } as unknown as WebhookEnvelope;
}

function parsed(body: Buffer): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(body.toString("utf8"));
    return typeof value === "object" && value !== null
      ? (value as Readonly<Record<string, unknown>>)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Refuses a key without bytes, such as a variable that is not set: every sender can sign with it. */
function keyBytes(key: string | undefined = ""): Buffer {
  const bytes = key.startsWith("whsec_") ? Buffer.from(key.slice(6), "base64") : Buffer.from(key, "utf8");
  if (bytes.length === 0) {
    throw new TypeError("key is missing or empty: pass the signing key of your webhooks");
  }
  return bytes;
}

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (typeof headers["get"] === "function") return headers.get(name) ?? undefined;
  const entries = Object.entries(headers as Readonly<Record<string, string | readonly string[] | undefined>>);
  const found = entries.find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof found === "string" ? found : found?.[0];
}
