import { instant } from "../kernel/time.ts";
import type { Settings } from "../platform/config/settings.ts";
import { openDatabase } from "../platform/db/database.ts";
import { migrate } from "../platform/db/migrate.ts";
import { createEgress } from "../platform/egress/egress.ts";
import { createFreshness } from "../platform/freshness/freshness.ts";
import { createLog } from "../platform/log/log.ts";
import { createPaymentFigures } from "../platform/metrics/payment-figures.ts";
import type { World } from "../platform/world.ts";
import { buildWorld } from "./build-world.ts";
import { openDatabasePlace } from "./open-database.ts";

/** A world without servers or workers: what a command needs to do its work beside a running gateway. */
export async function openWorld(
  settings: Settings,
): Promise<{ readonly world: World; readonly close: () => Promise<void> }> {
  const place = await openDatabasePlace(settings, { holdFolder: false, notice: () => {} });
  const db = openDatabase({
    url: place.url,
    poolSize: 4,
    preparedStatements: settings.preparedStatements === "on",
    onIdleTrouble: () => {},
  });
  const egress = createEgress();
  const close = async () => {
    await egress.close();
    await db.close();
    await place.close();
  };
  try {
    await migrate(place.url);
  } catch (error) {
    await close();
    throw error;
  }
  const { world } = buildWorld({
    db,
    settings,
    log: createLog("warn"),
    freshness: createFreshness(db, () => {}),
    egress,
    figures: createPaymentFigures(),
    now: () => instant(Date.now()),
    wakeJobs: () => {},
  });
  return { world, close };
}
