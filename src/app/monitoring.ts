import type { FastifyReply } from "fastify";
import { refuse } from "../kernel/refusal.ts";
import { listensOnLoopback } from "../platform/config/listener-settings.ts";
import type { Settings } from "../platform/config/settings.ts";
import { hashSecret, sameBytes } from "../platform/crypto/secrets.ts";
import type { Database } from "../platform/db/database.ts";
import { ping } from "../platform/db/ping.ts";
import { MONITORING_PATHS } from "../platform/http/monitoring-paths.ts";
import type { HttpServer } from "../platform/http/server.ts";
import type { Metrics } from "../platform/metrics/metrics.ts";

export function mountHealth(server: HttpServer, db: Database, isStopping: () => boolean): void {
  server.get(MONITORING_PATHS.health, async () => ({ result: { status: "ok" } }));
  server.get(MONITORING_PATHS.ready, async () => {
    if (isStopping()) refuse("system_unavailable");
    // Migrations ran before the servers began to listen, so a query is the only check left.
    await ping(db);
    return { result: { status: "ok" } };
  });
}

/** On the watch port, which only the operator's network reaches. */
export function mountMetrics(server: HttpServer, metrics: Metrics): void {
  server.get(MONITORING_PATHS.metrics, async (_request, reply) => sendMetrics(reply, metrics));
}

/**
 * On a port that merchants or payers reach: with the token, or without one while the gateway listens on loopback. Payers
 * reach the hosted port, so it has metrics only if there is no API.
 */
export function mountGuardedMetrics(server: HttpServer, metrics: Metrics, settings: Settings): void {
  const { metricsToken } = settings;
  if (metricsToken === undefined) {
    if (listensOnLoopback(settings)) mountMetrics(server, metrics);
    return;
  }
  // Hashes have one length, so that the comparison takes the same time for any token.
  const expected = hashSecret(metricsToken);
  server.get(MONITORING_PATHS.metrics, async (request, reply) => {
    const [, token = ""] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? "") ?? [];
    if (!sameBytes(hashSecret(token), expected)) {
      reply.header("WWW-Authenticate", "Bearer");
      refuse("metrics_token_invalid");
    }
    return sendMetrics(reply, metrics);
  });
}

async function sendMetrics(reply: FastifyReply, metrics: Metrics): Promise<FastifyReply> {
  return reply.type("text/plain; version=0.0.4").send(await metrics.text());
}
