import { createCacheInvalidation } from "../platform/cache-invalidation/cache-invalidation.ts";
import type { Settings } from "../platform/config/settings.ts";
import type { Context } from "../platform/context.ts";
import { openDatabase } from "../platform/db/database.ts";
import { openDatabaseClock } from "../platform/db/database-clock.ts";
import { refuseOutdatedSchema } from "../platform/db/migrate.ts";
import { createEgress } from "../platform/egress/egress.ts";
import { createLog } from "../platform/log/log.ts";
import { createPaymentMetrics } from "../platform/metrics/payment-metrics.ts";
import { buildContext } from "./build-context.ts";
import { openDatabasePlace } from "./open-database.ts";

/** A context without servers or workers: what a command needs to do its work beside a running gateway. */
export async function openContext(
  settings: Settings,
): Promise<{ readonly ctx: Context; readonly close: () => Promise<void> }> {
  const place = await openDatabasePlace(settings, { holdsFolder: false, notice: () => {} });
  const db = openDatabase({
    url: place.url,
    poolSize: 4,
    preparedStatements: settings.preparedStatements === "on",
    onIdleError: () => {},
  });
  const egress = createEgress();
  let ctx: Context | undefined;
  const close = async () => {
    await ctx?.acquirers.close();
    await egress.close();
    await db.close();
    await place.close();
  };
  const open = async (): Promise<Context> => {
    await refuseOutdatedSchema(place.url);
    const clock = await openDatabaseClock(db);
    ctx = buildContext({
      db,
      settings,
      log: createLog("warn"),
      cacheInvalidation: createCacheInvalidation(db, () => {}),
      egress,
      metrics: createPaymentMetrics(),
      now: clock.now,
      wakeJobs: () => {},
    });
    await ctx.sealedTexts.readKeys(db);
    return ctx;
  };
  const opened = await open().catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return { ctx: opened, close };
}
