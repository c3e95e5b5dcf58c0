import { type Instant, instant } from "../kernel/time.ts";
import type { Settings } from "./config/settings.ts";
import type { Database } from "./db/database.ts";
import type { Freshness } from "./freshness/freshness.ts";
import type { Log } from "./log/log.ts";

/** What a verb needs of the outside. Built once by the app and passed down; nothing here is global. */
export type World = {
  readonly db: Database;
  readonly settings: Settings;
  readonly log: Log;
  readonly freshness: Freshness;
  /** Real time. What a merchant sees goes by the merchant's clock instead. */
  readonly now: () => Instant;
  /** Tells the worker of this process that work may be due right now. */
  readonly wakeJobs: () => void;
};

/** The time on a merchant's clock: real time, moved ahead by as much as the merchant's sandbox was. */
export function clockOf(world: Pick<World, "now">, merchant: { readonly clockOffset: number }): Instant {
  return instant(world.now() + merchant.clockOffset);
}
