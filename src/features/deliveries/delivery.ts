import type { Id } from "../../kernel/ids.ts";
import type { Lifecycle } from "../../kernel/lifecycle.ts";
import { HOUR, type Instant, MINUTE, SECOND } from "../../kernel/time.ts";

export const DELIVERY_STATUSES = ["pending", "delivered", "failed"] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** One event on its way to one subscription. Either end can be left again: the merchant may ask for another delivery. */
export const lifecycle: Lifecycle<DeliveryStatus, "acknowledge" | "giveUp" | "askAgain"> = {
  pending: { acknowledge: "delivered", giveUp: "failed" },
  delivered: { askAgain: "pending" },
  failed: { askAgain: "pending" },
};

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
  /** When the change happened, on this node's clock; undefined where it was told of before. */
  readonly changedAt: Instant | undefined;
};

/** What came of an attempt, as it is written down. */
export type Outcome = {
  readonly delivery: Pick<DueDelivery, "merchantId" | "eventId" | "webhookId" | "round" | "attempts">;
  /** False for a trouble of our own: the endpoint was never asked. */
  readonly counted: boolean;
  readonly status: DeliveryStatus;
  readonly failures: number;
  readonly wait: number;
  readonly httpStatus: number | null;
  readonly latencyMs: number;
  readonly error: string | null;
  readonly attemptedAt: Instant;
};

/** An attempt as it is shown. */
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
export const LADDER: readonly number[] = [
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
const AT_LEAST_WHEN_BUSY = MINUTE;
const RETRY_AFTER_AT_MOST = 24 * HOUR;

/** What came of an attempt, as far as the next one goes. */
export type Finding =
  | { readonly kind: "acknowledged" }
  /** 410: the endpoint says that it is gone for good. */
  | { readonly kind: "gone" }
  /** The trouble was ours; it is neither charged to the endpoint nor a step on the ladder. */
  | { readonly kind: "ours" }
  | { readonly kind: "refused"; readonly busy: boolean; readonly retryAfter: number | undefined };

export type Verdict = {
  readonly status: DeliveryStatus;
  readonly failures: number;
  /** Until the next attempt, where there is one. */
  readonly wait: number;
};

/** What is to be done next. `chance` is from 0 to 1 and spreads the retries of many events that failed at once. */
export function judge(failures: number, finding: Finding, chance: number): Verdict {
  const spread = 1 - JITTER + 2 * JITTER * chance;
  if (finding.kind === "acknowledged") return { status: "delivered", failures, wait: 0 };
  if (finding.kind === "gone") return { status: "failed", failures: failures + 1, wait: 0 };
  if (finding.kind === "ours") return { status: "pending", failures, wait: Math.round(MINUTE * spread) };
  const step = LADDER[failures];
  if (step === undefined) return { status: "failed", failures: failures + 1, wait: 0 };
  const asked = Math.min(finding.retryAfter ?? 0, RETRY_AFTER_AT_MOST);
  const least = finding.busy ? AT_LEAST_WHEN_BUSY : 0;
  return {
    status: "pending",
    failures: failures + 1,
    wait: Math.max(Math.round(step * spread), least, asked),
  };
}

/** `Retry-After` in milliseconds: seconds, or a date of HTTP. Undefined when it says nothing that we understand. */
export function retryAfterOf(header: string | undefined, now: Instant): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  if (/^\d{1,99}$/.test(text)) return Number(text) * SECOND;
  const moment = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)
    ? Date.parse(text)
    : Number.NaN;
  return Number.isNaN(moment) ? undefined : Math.max(0, moment - now);
}
