import type { Settings } from "../platform/config/settings.ts";
import { openDatabase, type Tx } from "../platform/db/database.ts";
import { createReads, type Reads, type ReplicaHealth, readsOfPrimary } from "../platform/db/reads.ts";
import type { Log } from "../platform/log/log.ts";

/** Connects when the first read comes: a replica that is away does not stop a start. */
export function openReads(settings: Settings, log: Log, db: Tx): Reads {
  const { databaseReadUrl: url, readStalenessMs: stalenessMs } = settings;
  if (url === undefined) return readsOfPrimary(db);
  return createReads(db, {
    open: (onIdleError) =>
      openDatabase({
        url,
        poolSize: settings.databasePoolSize,
        preparedStatements: settings.preparedStatements === "on",
        isReplica: true,
        onIdleError: (error) => {
          log.warn({ error }, "connection to the replica lost");
          onIdleError(error);
        },
      }),
    stalenessMs,
    onChange: (state, error) => logReplicaState(log, state, error),
  });
}

function logReplicaState(log: Log, state: ReplicaHealth["state"], error: unknown): void {
  if (state === "current") log.info({}, "the replica is current: lists, pages and exports are read there");
  else if (state === "behind")
    log.warn({}, "the replica is further behind than TIDEGATE_READ_STALENESS_MS allows: the primary answers");
  else log.warn({ error }, "the replica can't be read: the primary answers");
}
