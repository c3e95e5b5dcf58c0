import { setTimeout as pause } from "node:timers/promises";
import type { Settings } from "../../platform/config/settings.ts";
import { openDatabase, type Tx } from "../../platform/db/database.ts";
import { lendsSessions } from "../../platform/db/lent-sessions.ts";
import { readPrimaryPosition, readReplicaPosition } from "../../platform/db/replica-position.ts";
import { errorText, type Finding, findings } from "./finding.ts";

const replica = findings("replica");

const POLLED_EVERY_MS = 20;

/** Whether lists, pages and exports can be read from the replica. Without one there is nothing to say. */
export async function checkReplica(primary: Tx, settings: Settings): Promise<readonly Finding[]> {
  const { databaseReadUrl, readStalenessMs, preparedStatements } = settings;
  if (databaseReadUrl === undefined) return [];
  const db = openDatabase({
    url: databaseReadUrl,
    poolSize: 2,
    preparedStatements: false,
    onIdleError: () => {},
  });
  try {
    if (preparedStatements === "on" && (await lendsSessions(databaseReadUrl)))
      return [
        replica.warn(
          "the pooler at DATABASE_READ_URL lends sessions out by the transaction, and prepared statements do not survive that, so the primary does its work",
          "set TIDEGATE_PREPARED_STATEMENTS=off, or name the replica itself",
        ),
      ];
    return [await compare(primary, db, readStalenessMs)];
  } catch (error) {
    return [
      replica.warn(
        `the replica can't be read, so the primary does its work: ${errorText(error)}`,
        "start the replica, or fix or unset DATABASE_READ_URL",
      ),
    ];
  } finally {
    await db.close();
  }
}

async function compare(primary: Tx, db: Tx, stalenessMs: number): Promise<Finding> {
  const wanted = await readPrimaryPosition(primary);
  for (const begun = performance.now(); ; await pause(POLLED_EVERY_MS)) {
    const has = await readReplicaPosition(db);
    const waited = Math.round(performance.now() - begun);
    if (has === undefined || has.timeline !== wanted.timeline)
      return replica.warn(
        "the server at DATABASE_READ_URL is no replica of the one at DATABASE_URL, so the primary does its work",
        "point DATABASE_READ_URL to a streaming replica of the primary; after a failover it counts from its next restartpoint on, five minutes later at most",
      );
    if (has.bytes >= wanted.bytes)
      return replica.ok(`at DATABASE_READ_URL; it had what the primary has within ${waited} ms`);
    if (waited > stalenessMs)
      return replica.warn(
        `${wanted.bytes - has.bytes} bytes behind after ${waited} ms, so the primary does its work`,
        "see why the replica replays slowly, or raise TIDEGATE_READ_STALENESS_MS",
      );
  }
}
