import type { Settings } from "../platform/config/settings.ts";
import { type Database, openDatabase } from "../platform/db/database.ts";
import type { ReplicaHealth } from "../platform/db/reads.ts";
import type { Log } from "../platform/log/log.ts";

/** Connects when the first read comes: a replica that is away does not stop a start. */
export function openReplica(settings: Settings, log: Log): Database | undefined {
  if (settings.databaseReadUrl === undefined) return undefined;
  return openDatabase({
    url: settings.databaseReadUrl,
    poolSize: settings.databasePoolSize,
    preparedStatements: settings.preparedStatements === "on",
    isReplica: true,
    onIdleError: (error) => log.warn({ error }, "connection to the replica lost"),
  });
}

export function logReplicaState(log: Log, state: ReplicaHealth["state"], error: unknown): void {
  if (state === "current") log.info({}, "the replica is current: lists, pages and exports are read there");
  else if (state === "behind")
    log.warn({}, "the replica is further behind than TIDEGATE_READ_STALENESS_MS allows: the primary answers");
  else log.warn({ error }, "the replica can't be read: the primary answers");
}
