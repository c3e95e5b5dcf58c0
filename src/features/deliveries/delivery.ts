import type { Id } from "../../kernel/ids.ts";
import type { Lifecycle } from "../../kernel/lifecycle.ts";
import { HOUR, type Instant, MINUTE, SECOND } from "../../kernel/time.ts";

export const DELIVERY_STATUSES = ["pending", "delivered", "failed"] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/**
 * The delivery of one event to one subscription. The merchant may request a redelivery in any state. A late acknowledgement
 * still counts after the subscription was disabled.
 */
export const lifecycle = {
  pending: { acknowledge: "delivered", retry: "pending", giveUp: "failed", redeliver: "pending" },
  delivered: { redeliver: "pending" },
  failed: { acknowledge: "delivered", redeliver: "pending" },
} as const satisfies Lifecycle<DeliveryStatus, "acknowledge" | "retry" | "giveUp" | "redeliver">;

/** An event that is due at an endpoint, with the exact bytes to send. */
export type DueDelivery = {
  readonly merchantId: Id<"merchant">;
  readonly webhookId: Id<"webhook">;
  readonly eventId: Id<"event">;
  readonly resourceId: string;
  readonly body: string;
  readonly attempts: number;
  readonly failures: number;
  readonly round: number;
  /** When the change happened, on this node's clock; undefined if this is not the first attempt. */
  readonly changedAt: Instant | undefined;
  /** Of the merchant's clock, in milliseconds, when the delivery was fetched. */
  readonly clockOffset: number;
};

/** The outcome of an attempt, as it is stored. */
export type Outcome = {
  readonly delivery: Pick<DueDelivery, "merchantId" | "eventId" | "webhookId" | "round" | "attempts">;
  /** False if the gateway has no network to send the request. */
  readonly isCounted: boolean;
  readonly status: DeliveryStatus;
  readonly failures: number;
  readonly wait: number;
  readonly httpStatus: number | null;
  readonly latencyMs: number;
  readonly error: string | null;
  readonly attemptedAt: Instant;
};

/** An attempt as the API shows it. */
export type Attempt = {
  readonly webhookId: Id<"webhook">;
  readonly attempt: number;
  readonly status: DeliveryStatus;
  readonly httpStatus: number | null;
  readonly latencyMs: number | null;
  readonly error: string | null;
  /** On the merchant's clock. */
  readonly attemptedAt: Instant | null;
  /** In real time. */
  readonly nextAt: Instant | null;
};

/** Waits between attempts, as Standard Webhooks recommends them: ten attempts in about 76 hours. */
export const RETRY_WAITS: readonly number[] = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

const JITTER = 0.2;
const LEAST_WAIT_WHEN_BUSY = MINUTE;
const RETRY_AFTER_AT_MOST = 24 * HOUR;

/** The result of an attempt, as far as it matters for the next step. */
export type AttemptResult =
  | { readonly kind: "acknowledged" }
  /** 410: the endpoint is gone permanently. */
  | { readonly kind: "gone" }
  /** The gateway has no network to send the request: it does not count against the endpoint. */
  | { readonly kind: "not_sent" }
  | { readonly kind: "failed"; readonly isBusy: boolean; readonly retryAfter: number | undefined };

export type NextStep = {
  readonly status: DeliveryStatus;
  readonly failures: number;
  /** Milliseconds until the next attempt, if there is one. */
  readonly wait: number;
};

/** Decides what follows an attempt. `chance`, from 0 to 1, spreads the retries of events that failed at the same time. */
export function nextStep(failures: number, result: AttemptResult, chance: number): NextStep {
  const { acknowledge, retry, giveUp } = lifecycle.pending;
  const spread = 1 - JITTER + 2 * JITTER * chance;
  if (result.kind === "acknowledged") return { status: acknowledge, failures, wait: 0 };
  if (result.kind === "gone") return { status: giveUp, failures: failures + 1, wait: 0 };
  if (result.kind === "not_sent") return { status: retry, failures, wait: Math.round(MINUTE * spread) };
  const step = RETRY_WAITS[failures];
  if (step === undefined) return { status: giveUp, failures: failures + 1, wait: 0 };
  const retryAfter = Math.min(result.retryAfter ?? 0, RETRY_AFTER_AT_MOST);
  const least = result.isBusy ? LEAST_WAIT_WHEN_BUSY : 0;
  return {
    status: retry,
    failures: failures + 1,
    wait: Math.max(Math.round(step * spread), least, retryAfter),
  };
}

/** `Retry-After` in milliseconds, from seconds or an HTTP date; undefined if it is neither. */
export function parseRetryAfter(header: string | undefined, now: Instant): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  if (/^\d{1,99}$/.test(text)) return Number(text) * SECOND;
  const moment = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)
    ? Date.parse(text)
    : Number.NaN;
  return Number.isNaN(moment) ? undefined : Math.max(0, moment - now);
}
