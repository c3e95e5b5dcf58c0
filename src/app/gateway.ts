import { checkoutRoutes } from "../features/checkout/index.ts";
import { makeLink } from "../features/dashboard-users/index.ts";
import { type Deliverer, startDeliverer } from "../features/deliveries/index.ts";
import { createAuthenticator, foundSandboxMerchant } from "../features/merchants/index.ts";
import { type Instant, instant } from "../kernel/time.ts";
import { hostedFiles } from "../platform/assets/asset-table.ts";
import { buildAssets } from "../platform/assets/build-assets.ts";
import type { Settings } from "../platform/config/settings.ts";
import { openDatabase } from "../platform/db/database.ts";
import { migrate } from "../platform/db/migrate.ts";
import { keepPresence, type PresenceKeeper } from "../platform/db/presence.ts";
import { createEgress } from "../platform/egress/egress.ts";
import { createFreshness } from "../platform/freshness/freshness.ts";
import { mountRoutes } from "../platform/http/mount-routes.ts";
import { mountPayerRoutes } from "../platform/http/payer-route.ts";
import { createRateLimiter } from "../platform/http/rate-limit.ts";
import { createServer, type HttpServer, listen, type ServerName } from "../platform/http/server.ts";
import { readOverdue } from "../platform/jobs/queries.ts";
import { startWorker, type Worker } from "../platform/jobs/worker.ts";
import type { Log } from "../platform/log/log.ts";
import { createMetrics } from "../platform/metrics/metrics.ts";
import { readBacklog } from "../platform/outbox/backlog.ts";
import { tellOfEvents } from "../platform/outbox/tell-of-events.ts";
import { openVault } from "../platform/vault/open-vault.ts";
import { createSealedTexts } from "../platform/vault/sealed-texts.ts";
import { createVault } from "../platform/vault/vault.ts";
import { createVaultKeys } from "../platform/vault/vault-keys.ts";
import type { World } from "../platform/world.ts";
import { mountBankApp } from "./bank-app/mount-bank-app.ts";
import { mountCheckoutPages } from "./checkout-pages/mount-checkout-pages.ts";
import { createConnectors } from "./connectors.ts";
import { mountDashboard } from "./dashboard/mount-dashboard.ts";
import { mountGuides } from "./guides/mount-guides.ts";
import { mountHostedPages } from "./hosted-page/mount-hosted-pages.ts";
import { mountIcon } from "./icon.ts";
import { CHORES, JOB_HANDLERS } from "./jobs.ts";
import { refuseSampleSecrets } from "./live-secrets.ts";
import { mountReference } from "./reference/mount-reference.ts";
import { API_ROUTES } from "./routes.ts";
import { mountSandboxBank } from "./sandbox-bank/mount-sandbox-bank.ts";
import { createWallets, openLiveWallets } from "./wallets.ts";
import { mountHealth, mountMetrics } from "./watch.ts";

export type Gateway = {
  /** The key of the sandbox merchant, when this start made it. */
  readonly newKey: string | undefined;
  /** The one-time link that makes the first operator of the dashboard, when this start made it. */
  readonly welcomeLink: string | undefined;
  /** No new work; what is in flight finishes. */
  readonly stop: () => Promise<void>;
};

export type GatewayParts = {
  readonly settings: Settings;
  readonly databaseUrl: string;
  readonly log: Log;
  readonly now?: () => Instant;
  /** Tests put faults between the gateway and the outside world with this. */
  readonly wrapWorld?: (world: World) => World;
};

/** Builds everything once and starts the roles of this process. */
export async function startGateway({
  settings,
  databaseUrl,
  log,
  now = systemTime,
  wrapWorld = (world) => world,
}: GatewayParts): Promise<Gateway> {
  const liveWallets = await openLiveWallets(settings);
  const applied = await migrate(databaseUrl);
  if (applied.length > 0) log.info({ count: applied.length }, "migrated the database");

  const database = openDatabase({
    url: databaseUrl,
    poolSize: settings.databasePoolSize,
    preparedStatements: settings.preparedStatements === "on",
    onIdleTrouble: (error) => log.warn({ error }, "lost a database connection"),
  });
  let deliverer: Deliverer | undefined;
  let presence: PresenceKeeper | undefined;
  const db = tellOfEvents(database, () => deliverer?.wake());
  const freshness = createFreshness(db, (error) => log.warn({ error }, "could not look for changes"));
  let worker: Worker | undefined;
  const { connectors, sandboxBank } = createConnectors({ db, settings, now });
  const wakeJobs = () => worker?.wake();
  const egress = createEgress();
  const vaultKeys = createVaultKeys(settings, now);
  const vault = createVault(vaultKeys, log, now);
  const sealedTexts = createSealedTexts(vaultKeys);
  const metrics = createMetrics(db);
  const world = wrapWorld({
    db,
    settings,
    log,
    freshness,
    connectors,
    egress,
    vault,
    vaultKeys,
    sealedTexts,
    wallets: createWallets({ db, sealedTexts, now }, liveWallets),
    figures: metrics.payments,
    now,
    wakeJobs,
  });

  // Nobody is let in before all is there, nor after stopping has begun.
  let open = false;
  metrics.watchJobs(() => readOverdue(db, now()));
  const authenticate = createAuthenticator(world);
  const newServer = (name: ServerName) =>
    createServer({
      name,
      identify: name === "api" ? authenticate : undefined,
      settings,
      log,
      onAnswer: (...facts) => metrics.observeAnswer(name, ...facts),
      isStopping: () => !open,
    });

  const assets = await buildAssets();
  const servers = new Map<ServerName, HttpServer>();
  if (settings.roles.includes("api")) {
    const api = newServer("api");
    mountHealth(api, db, () => !open);
    mountIcon(api);
    mountMetrics(api, metrics);
    mountReference(api, API_ROUTES, settings.baseUrl);
    mountGuides(api, settings);
    mountDashboard(api, assets, world);
    mountRoutes(api, API_ROUTES, {
      world,
      authenticate,
      rateLimiter: settings.rateLimit === 0 ? undefined : createRateLimiter(settings.rateLimit, now),
    });
    servers.set("api", api);
  }
  if (settings.roles.includes("checkout")) {
    const hosted = newServer("hosted");
    mountHealth(hosted, db, () => !open);
    mountIcon(hosted);
    if (!servers.has("api")) mountMetrics(hosted, metrics);
    mountCheckoutPages(hosted, assets, world);
    mountHostedPages(hosted, hostedFiles(assets), world);
    mountPayerRoutes(hosted, checkoutRoutes, world);
    mountSandboxBank(hosted, sandboxBank);
    mountBankApp(hosted, hostedFiles(assets), world);
    servers.set("hosted", hosted);
  }
  if (settings.watchPort !== 0) {
    const watch = newServer("watch");
    mountHealth(watch, db, () => !open);
    mountMetrics(watch, metrics);
    servers.set("watch", watch);
  }

  const stop = async () => {
    open = false;
    await Promise.all([...servers.values()].map((server) => server.close()));
    await worker?.stop();
    await deliverer?.stop();
    await presence?.close();
    await egress.close();
    await liveWallets.close();
    await freshness.stop();
    await db.close();
  };
  try {
    await refuseSampleSecrets(world);
    await openVault(db, vaultKeys, now);
    for (const [name, server] of servers) await listen(server, name, settings);
    // The key of the first start is made only now: made before a port turned out to be taken, nobody would ever see it.
    const { newKey } = await foundSandboxMerchant(world);
    const welcomeLink =
      newKey === undefined ? undefined : await world.db.transaction((tx) => makeLink(world, tx, null));
    if (settings.roles.includes("worker")) worker = startWorker(world, JOB_HANDLERS, CHORES);
    if (settings.roles.includes("webhooks")) {
      const kept = await keepPresence(databaseUrl, settings.preparedStatements === "on");
      presence = kept;
      const begun = startDeliverer(world, { presence: kept.current, figures: metrics.webhooks });
      deliverer = begun;
      metrics.webhooks.watch({ backlog: () => readBacklog(db), inHand: begun.inHand });
    }
    freshness.start();
    open = true;
    return { newKey, welcomeLink, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function systemTime(): Instant {
  return instant(Date.now());
}
