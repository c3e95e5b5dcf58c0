import { refuse } from "../kernel/refusal.ts";
import type { Database } from "../platform/db/database.ts";
import { ping } from "../platform/db/ping.ts";
import type { HttpServer } from "../platform/http/server.ts";
import type { Metrics } from "../platform/metrics/metrics.ts";

/** Paths for monitoring. They need no key and reveal nothing about merchants. */
export const MONITORING_PATHS = ["/healthz", "/readyz", "/metrics"] as const;

export function mountHealth(server: HttpServer, db: Database, isStopping: () => boolean): void {
  server.get("/healthz", async () => ({ result: { status: "ok" } }));
  server.get("/readyz", async () => {
    if (isStopping() || !(await isAvailable(db))) refuse("system_unavailable");
    return { result: { status: "ok" } };
  });
}

/** Metrics are for the operator. Payers reach the hosted port, so it serves them only if there is no other port. */
export function mountMetrics(server: HttpServer, metrics: Metrics): void {
  server.get("/metrics", async (_request, reply) =>
    reply.type("text/plain; version=0.0.4").send(await metrics.text()),
  );
}

/** Migrations ran before the servers began to listen, so a query is the only check left. */
async function isAvailable(db: Database): Promise<boolean> {
  try {
    await ping(db);
    return true;
  } catch {
    return false;
  }
}
