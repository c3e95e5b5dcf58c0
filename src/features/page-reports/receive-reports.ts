import type { Context } from "../../platform/context.ts";
import { acceptTextOnly } from "../../platform/http/accept-text.ts";
import { networkOf } from "../../platform/http/network-of.ts";
import { createRateLimiter } from "../../platform/http/rate-limit.ts";
import type { HttpServer } from "../../platform/http/server.ts";
import { visitorOf } from "../../platform/http/visitor.ts";
import { reportsIn } from "./page-report.ts";
import { countReport } from "./queries.ts";

/** Where browsers send reports, on the origin of the pages. */
const REPORTS_PATH = "/page-reports";

/**
 * The directive at the end of a page's policy. Beside `report-to` Chromium would ignore it, and it keeps or drops what
 * `report-to` names.
 */
export const REPORT_DIRECTIVE = `report-uri ${REPORTS_PATH}`;

const LONGEST_BODY = 16 * 1024;
/** So many kinds are stored. A page has a handful at most; more of them is an attempt to fill the disk. */
export const MOST_KINDS = 500;

/** From one network, and of all together, on this node. */
const PER_NETWORK = { perSecond: 1, burst: 30 };
const OF_ALL = { perSecond: 20, burst: 200 };

/** Accepts reports. Any program can post here, so what is read, written and kept is bounded, and nothing is answered. */
export function mountPageReports(server: HttpServer, ctx: Context): void {
  const networks = createRateLimiter(PER_NETWORK.perSecond, ctx.now, PER_NETWORK.burst);
  const all = createRateLimiter(OF_ALL.perSecond, ctx.now, OF_ALL.burst);
  void server.register(async (scope) => {
    acceptTextOnly(scope, ["application/csp-report", "application/reports+json", "application/json"]);
    scope.post<{ Body: string | undefined }>(
      REPORTS_PATH,
      { bodyLimit: LONGEST_BODY },
      async (request, reply) => {
        const own = networks.take(networkOf(visitorOf(request).ipAddress));
        const allowance = own.isAllowed ? all.take("") : own;
        if (!allowance.isAllowed) {
          ctx.metrics.pageReport("dropped");
          return reply.code(429).header("Retry-After", allowance.reset).send();
        }
        for (const report of reportsIn(request.body ?? "", new URL(ctx.settings.hostedUrl).origin)) {
          const isStored = await countReport(ctx.db, report, ctx.now(), MOST_KINDS);
          ctx.metrics.pageReport(isStored ? "stored" : "dropped");
        }
        return reply.code(204).send();
      },
    );
  });
}
