import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { Mode } from "../../kernel/mode.ts";
import type { Database } from "../db/database.ts";
import type { ReplicaHealth } from "../db/reads.ts";
import { cachedGauges } from "./cached-gauges.ts";
import { createPaymentMetrics, type PaymentMetrics } from "./payment-metrics.ts";
import { watchReplica } from "./replica-metrics.ts";
import { createWebhookMetrics, type WebhookMetrics } from "./webhook-metrics.ts";

/** How the jobs of all nodes are doing. */
export type JobHealth = {
  /** Due for more than a minute. */
  readonly overdue: { readonly count: number; readonly oldestSeconds: number };
  /** Failed at their last run. */
  readonly failing: number;
  readonly failingByKind: ReadonlyMap<string, number>;
  readonly needingAttention: number;
};

type Link = {
  readonly mode: Mode;
  readonly accountId: string;
  readonly connector: string;
  readonly isUp: boolean;
};

type AnswerLabels = {
  readonly server: string;
  readonly route: string;
  readonly method: string;
  readonly status: string;
};

export type Metrics = {
  readonly observeAnswer: (labels: AnswerLabels, seconds: number) => void;
  readonly payments: PaymentMetrics;
  readonly webhooks: WebhookMetrics;
  /** Counts a request that was refused because there were too many. */
  readonly refuse: (urgency: string) => void;
  /** What the gauges of timed work read, once there is a database. */
  readonly watchJobs: (read: () => Promise<JobHealth>) => void;
  /** What the gauge of acquirer links reads. */
  readonly watchLinks: (read: () => Promise<readonly Link[]>) => void;
  /** What the metrics of the replica read. */
  readonly watchReplica: (read: () => ReplicaHealth | undefined) => void;
  /** Prometheus text. */
  readonly text: () => Promise<string>;
};

/** What Prometheus can read of this process. Labels are routes and statuses, never ids or addresses. */
export function createMetrics(db: Database): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const answers = new Histogram({
    name: "tidegate_http_answer_seconds",
    help: "Time from a request's arrival to the end of its answer.",
    labelNames: ["server", "route", "method", "status"],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  new Gauge({
    name: "tidegate_database_connections",
    help: "Database connections of this process, by state; waiting: requests that wait for one.",
    labelNames: ["state"],
    registers: [registry],
    collect() {
      const { total, idle, waiting } = db.load();
      this.set({ state: "busy" }, total - idle);
      this.set({ state: "idle" }, idle);
      this.set({ state: "waiting" }, waiting);
    },
  });
  const refused = new Counter({
    name: "tidegate_overload_total",
    help: "Requests that were answered with 503 because this process had too many, by urgency.",
    labelNames: ["urgency"],
    registers: [registry],
  });
  for (const urgency of ["money", "create", "list"]) refused.inc({ urgency }, 0);
  return {
    refuse: (urgency) => refused.inc({ urgency }),
    observeAnswer: (labels, seconds) => answers.observe(labels, seconds),
    payments: createPaymentMetrics(registry),
    webhooks: createWebhookMetrics(registry, () => performance.now()),
    watchLinks: (read) => {
      new Gauge({
        name: "tidegate_acquirer_link_up",
        help: "Whether this process's connection to an acquirer account's host is up.",
        labelNames: ["mode", "account", "connector"],
        registers: [registry],
        async collect() {
          this.reset();
          for (const { mode, accountId, connector, isUp } of await read())
            this.set({ mode, account: accountId, connector }, isUp ? 1 : 0);
        },
      });
    },
    watchReplica: (read) => watchReplica(registry, read),
    watchJobs: (read) =>
      cachedGauges(registry, read, () => performance.now(), [
        {
          name: "tidegate_jobs_overdue",
          help: "Timed work that should have been done a minute ago, at all nodes together, counted up to 10000.",
          pick: ({ overdue }) => overdue.count,
        },
        {
          name: "tidegate_jobs_oldest_overdue_seconds",
          help: "For how long the oldest of these has been due, at all nodes together; 0: nothing is overdue.",
          pick: ({ overdue }) => overdue.oldestSeconds,
        },
        {
          name: "tidegate_jobs_failing",
          help: "Jobs whose last run failed, at all nodes together, counted up to 10000.",
          pick: ({ failing }) => failing,
        },
        {
          name: "tidegate_jobs_failing_by_kind",
          help: "The same by kind of work, such as payout_run: one job for each merchant.",
          label: "kind",
          pick: ({ failingByKind }) => failingByKind,
        },
        {
          name: "tidegate_jobs_needing_attention",
          help: "Jobs that have failed so often that they need an operator, counted up to 10000.",
          pick: ({ needingAttention }) => needingAttention,
        },
      ]),
    text: () => registry.metrics(),
  };
}
