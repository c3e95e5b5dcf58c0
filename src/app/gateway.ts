import { createLink } from "../dashboard/index.ts";
import { type Deliverer, readBacklog, startDeliverer } from "../features/deliveries/index.ts";
import { seedSandboxMerchant } from "../features/merchants/index.ts";
import type { Instant } from "../kernel/time.ts";
import { createCacheInvalidation } from "../platform/cache-invalidation/cache-invalidation.ts";
import type { Settings } from "../platform/config/settings.ts";
import type { Context } from "../platform/context.ts";
import { openDatabase } from "../platform/db/database.ts";
import { openDatabaseClock } from "../platform/db/database-clock.ts";
import { refuseLentSessions } from "../platform/db/lent-sessions.ts";
import { migrate } from "../platform/db/migrate.ts";
import { keepPresence, type PresenceKeeper } from "../platform/db/presence.ts";
import { createEgress } from "../platform/egress/egress.ts";
import { listen } from "../platform/http/server.ts";
import { readJobHealth } from "../platform/jobs/health/queries.ts";
import { startWorker, type Worker } from "../platform/jobs/worker.ts";
import type { Log } from "../platform/log/log.ts";
import { createMetrics } from "../platform/metrics/metrics.ts";
import { wakeAfterEvents } from "../platform/outbox/wake-after-events.ts";
import { openVault } from "../platform/vault/open-vault.ts";
import { buildContext } from "./build-context.ts";
import { buildServers } from "./build-servers.ts";
import { openLiveConnectors } from "./connectors.ts";
import { CHORES, JOBS } from "./jobs.ts";
import { refuseUnfitAccounts, refuseUnfitForLive } from "./live-checks.ts";
import { openReads } from "./open-replica.ts";

export type Gateway = {
  /** The key of the sandbox merchant, if this start created it. */
  readonly newKey: string | undefined;
  /** The one-time link that creates the first operator of the dashboard, if this start created it. */
  readonly welcomeLink: string | undefined;
  /** Accepts no new work and finishes the work in progress. */
  readonly stop: () => Promise<void>;
};

export type GatewayParts = {
  readonly settings: Settings;
  readonly databaseUrl: string;
  readonly log: Log;
  /** Ends a start that is not ready yet, with its reason. */
  readonly stopping?: AbortSignal;
  /** Instead of the database's clock: tests move it. */
  readonly now?: () => Instant;
  /** Tests inject faults between the gateway and its environment with it. */
  readonly wrapContext?: (ctx: Context) => Context;
};

/** Builds everything once and starts the roles of this process. */
export async function startGateway({
  settings,
  databaseUrl,
  log,
  stopping,
  now: ownTime,
  wrapContext = (ctx) => ctx,
}: GatewayParts): Promise<Gateway> {
  const liveConnectors = await openLiveConnectors(settings);
  const applied = await migrate(settings.databaseOwnerUrl ?? databaseUrl, databaseUrl, {
    onWait: () => log.info({}, "waiting for another process that migrates the database"),
    stopping,
  });
  if (applied.length > 0) log.info({ count: applied.length }, "applied database migrations");
  if (settings.databaseUrl !== undefined && settings.preparedStatements === "on")
    await refuseLentSessions(databaseUrl);

  const database = openDatabase({
    url: databaseUrl,
    poolSize: settings.databasePoolSize,
    preparedStatements: settings.preparedStatements === "on",
    onIdleError: (error) => log.warn({ error }, "database connection lost"),
  });
  const clock = await openDatabaseClock(database).catch(async (error: unknown) => {
    await database.close();
    throw error;
  });
  const now = ownTime ?? clock.now;
  let deliverer: Deliverer | undefined;
  let presence: PresenceKeeper | undefined;
  let worker: Worker | undefined;
  const db = wakeAfterEvents(database, () => deliverer?.wake());
  const cacheInvalidation = createCacheInvalidation(db, (error) =>
    log.warn({ error }, "cache invalidation not read: the database is unavailable"),
  );
  const egress = createEgress();
  const metrics = createMetrics(db);
  const reads = openReads(settings, log, db);
  if (settings.databaseReadUrl !== undefined) metrics.watchReplica(reads.health);
  metrics.watchJobs(() => readJobHealth(db, now()));
  const wakeJobs = () => worker?.wake();
  const built = buildContext(
    { db, reads, settings, log, cacheInvalidation, egress, metrics: metrics.payments, now, wakeJobs },
    liveConnectors,
  );
  const ctx = wrapContext(built);

  metrics.watchLinks(() => ctx.acquirers.listLinks());

  // The servers refuse requests until everything has started, and again once stopping begins.
  let open = false;
  const servers = await buildServers(ctx, { db, metrics, isStopping: () => !open });

  const stop = async () => {
    open = false;
    // At once: a worker or deliverer that goes on while requests finish would begin new work.
    await Promise.all([
      worker?.stop(),
      deliverer?.stop(),
      ...[...servers.values()].map((server) => server.close()),
    ]);
    await presence?.close();
    await Promise.all([ctx.acquirers.close(), built.acquirers.close()]);
    await egress.close();
    await liveConnectors.close();
    await cacheInvalidation.stop();
    await reads.close();
    await clock.stop();
    await db.close();
  };
  try {
    await refuseUnfitForLive(ctx);
    await openVault(db, built.vaultKeys, now);
    await built.sealedTexts.readKeys(db);
    await refuseUnfitAccounts(built);
    stopping?.throwIfAborted();
    for (const [name, server] of servers) await listen(server, name, settings);
    // Only now, because a start that fails on a taken port would create the key and never show it.
    const { newKey } = await seedSandboxMerchant(ctx);
    const welcomeLink =
      newKey === undefined ? undefined : await ctx.db.transaction((tx) => createLink(ctx, tx, null));
    if (settings.roles.includes("worker")) worker = startWorker(ctx, JOBS, CHORES);
    if (settings.roles.includes("webhooks")) {
      const keeper = await keepPresence(databaseUrl, settings.preparedStatements === "on");
      presence = keeper;
      const started = startDeliverer(ctx, { presence: keeper.current, metrics: metrics.webhooks });
      deliverer = started;
      metrics.webhooks.watch({ backlog: () => readBacklog(db), inHand: started.inHand });
    }
    cacheInvalidation.start();
    clock.start();
    if (settings.roles.some((role) => role !== "webhooks")) ctx.acquirers.keepConnected();
    open = true;
    return { newKey, welcomeLink, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
