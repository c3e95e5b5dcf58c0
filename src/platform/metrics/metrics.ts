import { collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { Database } from "../db/database.ts";
import { createWebhookFigures, type WebhookFigures } from "./webhook-figures.ts";

export type Metrics = {
  readonly observeAnswer: (
    server: string,
    route: string,
    method: string,
    status: number,
    seconds: number,
  ) => void;
  readonly webhooks: WebhookFigures;
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
  return {
    observeAnswer: (server, route, method, status, seconds) =>
      answers.observe({ server, route, method, status: String(status) }, seconds),
    webhooks: createWebhookFigures(registry, () => performance.now()),
    text: () => registry.metrics(),
  };
}
