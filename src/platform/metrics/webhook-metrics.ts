import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import { cachedGauges } from "./cached-gauges.ts";

/** The result of an attempt: acknowledged, to be retried, given up, or prevented by an error of our own network. */
export type AttemptOutcome = "delivered" | "retried" | "failed" | "own_error";

/** Deliveries that wait in the database, for all nodes. */
export type Backlog = {
  /** Counted no further than `BACKLOG_COUNTED`. */
  readonly due: number;
  readonly oldestSeconds: number;
  /** Due at endpoints that fail, which are in neither of the two. */
  readonly failing: number;
};

/** Deliveries that this process has in memory. */
export type InHand = { readonly queued: number; readonly quick: number; readonly slow: number };

export type WebhookMetrics = {
  readonly attempted: (outcome: AttemptOutcome) => void;
  /** The first attempt began so long after the change. */
  readonly firstAttempt: (seconds: number) => void;
  readonly disabled: (reason: "gone" | "failing") => void;
  /** Sets the source of the gauges, once this process delivers. */
  readonly watch: (read: { readonly backlog: () => Promise<Backlog>; readonly inHand: () => InHand }) => void;
};

/** Beyond so many due the exact number is worth less than what counting it costs. */
export const BACKLOG_COUNTED = 10_000;

export function createWebhookMetrics(registry: Registry, now: () => number): WebhookMetrics {
  const registers = [registry];
  const attempts = new Counter({
    name: "tidegate_webhook_attempts_total",
    help: "Delivery attempts of this process, by outcome; own_error: no network.",
    labelNames: ["outcome"],
    registers,
  });
  const outcomes: Readonly<Record<AttemptOutcome, { inc(): void }>> = {
    delivered: attempts.labels("delivered"),
    retried: attempts.labels("retried"),
    failed: attempts.labels("failed"),
    own_error: attempts.labels("own_error"),
  };
  for (const outcome of Object.keys(outcomes)) attempts.inc({ outcome }, 0);
  const firstAttempts = new Histogram({
    name: "tidegate_webhook_first_attempt_seconds",
    help: "Time from a change to the first attempt to deliver its event.",
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60, 600, 3600],
    registers,
  });
  const disabled = new Counter({
    name: "tidegate_webhook_subscriptions_disabled_total",
    help: "Subscriptions that this process disabled; gone: answered 410, failing: no success for five days.",
    labelNames: ["reason"],
    registers,
  });
  for (const reason of ["gone", "failing"]) disabled.inc({ reason }, 0);
  return {
    attempted: (outcome) => outcomes[outcome].inc(),
    firstAttempt: (seconds) => firstAttempts.observe(seconds),
    disabled: (reason) => disabled.inc({ reason }),
    watch: ({ backlog, inHand }) => {
      new Gauge({
        name: "tidegate_webhook_in_hand",
        help: "Deliveries that this process has in memory; quick and slow: under way, in either window.",
        labelNames: ["state"],
        registers,
        collect() {
          for (const [state, count] of Object.entries(inHand())) this.set({ state }, count);
        },
      });
      watchBacklog(registry, backlog, now);
    },
  };
}

function watchBacklog(registry: Registry, read: () => Promise<Backlog>, now: () => number): void {
  cachedGauges(registry, read, now, [
    {
      name: "tidegate_webhook_due",
      help: `Deliveries that are due, at all nodes together, counted up to ${BACKLOG_COUNTED}; without those to endpoints that fail.`,
      pick: ({ due }) => due,
    },
    {
      name: "tidegate_webhook_oldest_due_seconds",
      help: "For how long the oldest delivery that is due has been so, at all nodes together; 0: nothing is due.",
      pick: ({ oldestSeconds }) => oldestSeconds,
    },
    {
      name: "tidegate_webhook_due_failing",
      help: `Deliveries that are due at endpoints that fail, at all nodes together, counted up to ${BACKLOG_COUNTED}.`,
      pick: ({ failing }) => failing,
    },
  ]);
}
