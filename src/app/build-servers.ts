import { answerUnknownDashboardPage, mountDashboard } from "../dashboard/index.ts";
import { docsAssets, mountDocsSite } from "../docs-site/mount-docs-site.ts";
import { answerUnknownPage } from "../docs-site/unknown-page.ts";
import { mountAcquirerNotifications } from "../features/acquirer-notifications/index.ts";
import { checkoutRoutes, findPayersMode } from "../features/checkout/index.ts";
import { type Caller, createAuthenticator } from "../features/merchants/index.ts";
import { mountPageReports } from "../features/page-reports/index.ts";
import { mountBankSteps } from "../hosted-page/bank-steps/mount-bank-steps.ts";
import { mountCheckoutPages } from "../hosted-page/checkout-frame/mount-checkout-pages.ts";
import { answerUnknownHostedPage, mountHostedPages } from "../hosted-page/mount-hosted-pages.ts";
import { mountBankApp } from "../hosted-page/sandbox/bank-app/mount-bank-app.ts";
import { mountSandboxBank } from "../hosted-page/sandbox/challenge/mount-sandbox-bank.ts";
import { serveAssociation } from "../hosted-page/serve-association.ts";
import { dashboardFiles, hostedFiles } from "../platform/assets/asset-table.ts";
import { type Assets, buildAssets } from "../platform/assets/build-assets.ts";
import { mountIcon } from "../platform/assets/icon.ts";
import type { Context } from "../platform/context.ts";
import type { Database } from "../platform/db/database.ts";
import { createAdmission } from "../platform/http/admission.ts";
import { type MountParts, mountRoutes } from "../platform/http/mount-routes.ts";
import { mountPayerRoutes } from "../platform/http/payer-route.ts";
import { createRateLimiter } from "../platform/http/rate-limit.ts";
import { createServer, type HttpServer, type ServerName } from "../platform/http/server.ts";
import type { AnswerUnknownPath } from "../platform/http/unknown-paths.ts";
import { createWrongKeyCounter } from "../platform/http/wrong-keys/wrong-keys.ts";
import type { Metrics } from "../platform/metrics/metrics.ts";
import { lineOf, nextStartProblems } from "./live-checks.ts";
import { mountGuardedMetrics, mountHealth, mountMetrics } from "./monitoring.ts";
import { API_ROUTES } from "./routes.ts";
import { mountSecurityTxt } from "./security-txt.ts";
import { VERSION } from "./version.ts";

const DASHBOARD_PARTS = {
  routes: API_ROUTES,
  startProblems: async (ctx: Context) => {
    const problems = await nextStartProblems(ctx);
    return problems.length === 0 ? undefined : lineOf(problems);
  },
};

type ServerParts = {
  /** For the health checks: the database without the wrapper of a test. */
  readonly db: Database;
  readonly metrics: Metrics;
  readonly isStopping: () => boolean;
};

/** Builds the servers of this process's roles with all of their routes. They do not listen yet. */
export async function buildServers(
  ctx: Context,
  parts: ServerParts,
): Promise<ReadonlyMap<ServerName, HttpServer>> {
  const { settings, log } = ctx;
  const { db, metrics, isStopping } = parts;
  const { authenticate, close: closeAuthenticator } = createAuthenticator(ctx);
  const countWrongKey = createWrongKeyCounter(ctx);
  const admission = createAdmission({
    baseUrl: settings.baseUrl,
    limit: settings.requestsAtMost,
    log,
    onRefused: metrics.refuse,
  });
  const assets = await buildAssets();
  const unknownPaths: Partial<Record<ServerName, AnswerUnknownPath>> = {
    api: answerUnknownPage(docsAssets(assets.docsScript), settings.dashboardPort === 0),
    hosted: answerUnknownHostedPage(hostedFiles(assets)),
    dashboard: answerUnknownDashboardPage(dashboardFiles(assets)),
  };
  const newServer = (name: ServerName) => {
    const server = createServer({
      name,
      identify: name === "api" ? authenticate : undefined,
      countWrongKey,
      answerUnknownPath: unknownPaths[name],
      admission,
      settings,
      log,
      onAnswer: (route, method, status, seconds) =>
        metrics.observeAnswer({ server: name, route, method, status: String(status) }, seconds),
      isStopping,
    });
    mountHealth(server, db, isStopping);
    if (name !== "watch") mountSecurityTxt(server, settings, ctx.now);
    return server;
  };

  const servers = new Map<ServerName, HttpServer>();
  if (settings.roles.includes("api")) {
    const api = newServer("api");
    mountGuardedMetrics(api, metrics, settings);
    mountApi(api, assets, ctx, { authenticate, countWrongKey });
    api.addHook("onClose", closeAuthenticator);
    servers.set("api", api);
    if (settings.dashboardPort !== 0) {
      const dashboard = newServer("dashboard");
      mountIcon(dashboard);
      mountDashboard(dashboard, assets, ctx, DASHBOARD_PARTS);
      servers.set("dashboard", dashboard);
    }
  }
  if (settings.roles.includes("checkout")) {
    const hosted = newServer("hosted");
    if (!servers.has("api")) mountGuardedMetrics(hosted, metrics, settings);
    mountHosted(hosted, assets, ctx);
    servers.set("hosted", hosted);
  }
  if (settings.watchPort !== 0) {
    const watch = newServer("watch");
    mountMetrics(watch, metrics);
    servers.set("watch", watch);
  }
  return servers;
}

/** The API, for merchants' servers, and the dashboard unless it has a server of its own. */
function mountApi(
  api: HttpServer,
  assets: Assets,
  ctx: Context,
  keys: Pick<MountParts<Caller>, "authenticate" | "countWrongKey">,
): void {
  const { settings, now } = ctx;
  mountIcon(api);
  mountDocsSite(api, { routes: API_ROUTES, version: VERSION, settings, script: assets.docsScript });
  if (settings.dashboardPort === 0) mountDashboard(api, assets, ctx, DASHBOARD_PARTS);
  mountAcquirerNotifications(api, ctx);
  mountRoutes(api, API_ROUTES, {
    ctx,
    ...keys,
    rateLimiter: settings.rateLimit === 0 ? undefined : createRateLimiter(settings.rateLimit, now),
  });
}

/** The pages for payers. */
function mountHosted(hosted: HttpServer, assets: Assets, ctx: Context): void {
  mountIcon(hosted);
  mountCheckoutPages(hosted, assets, ctx);
  mountHostedPages(hosted, hostedFiles(assets), ctx);
  mountPageReports(hosted, ctx);
  mountPayerRoutes(hosted, checkoutRoutes, { ctx, findMode: findPayersMode });
  mountBankSteps(hosted);
  serveAssociation(hosted, ctx);
  mountSandboxBank(hosted, ctx.sandbox.challenges);
  mountBankApp(hosted, hostedFiles(assets), ctx);
}
