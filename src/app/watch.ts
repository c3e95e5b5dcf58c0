import { refuse } from "../kernel/refusal.ts";
import type { Database } from "../platform/db/database.ts";
import { ping } from "../platform/db/ping.ts";
import type { HttpServer } from "../platform/http/server.ts";
import type { Metrics } from "../platform/metrics/metrics.ts";

/** Paths for whoever watches the process. They need no key and say nothing about merchants. */
export const WATCH_PATHS = ["/healthz", "/readyz", "/metrics"] as const;

export function mountHealth(server: HttpServer, db: Database, isStopping: () => boolean): void {
  server.get("/healthz", async () => ({ result: { status: "ok" } }));
  server.get("/readyz", async () => {
    if (isStopping() || !(await answers(db))) refuse("system_unavailable");
    return { result: { status: "ok" } };
  });
}

/** Figures are for the operator: payers reach the hosted port, so it has them only where there is no other. */
export function mountMetrics(server: HttpServer, metrics: Metrics): void {
  server.get("/metrics", async (_request, reply) =>
    reply.type("text/plain; version=0.0.4").send(await metrics.text()),
  );
}

/** Migrations ran before the servers began to listen, so a database that answers is all that is left to ask for. */
async function answers(db: Database): Promise<boolean> {
  try {
    await ping(db);
    return true;
  } catch {
    return false;
  }
}
