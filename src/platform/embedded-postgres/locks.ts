import { setTimeout as pause } from "node:timers/promises";
import { applicationName, type Session } from "./session.ts";

/**
 * Two advisory locks say who uses the server. `gateway` is held by the one gateway of the folder. `visitors` is shared
 * by the commands beside it; who leaves and can have both for itself was the last one, and turns off the light.
 * The two-number form never meets the one-number locks that migrations and jobs may take in the same database.
 */
const family = 0x74_69_64_65; // "tide"
const gateway = 1;
const visitors = 2;

export async function tryHoldAsGateway(session: Session): Promise<boolean> {
  return tryLock(session, "pg_try_advisory_lock", gateway);
}

/** A holder that was killed a moment ago, or stops just now, is given the time to let go. */
export async function holdAsGatewayWithin(session: Session, patienceMs: number): Promise<boolean> {
  for (const deadline = Date.now() + patienceMs; ; await pause(100)) {
    if (await tryHoldAsGateway(session)) return true;
    if (Date.now() > deadline) return false;
  }
}

/** Waits while somebody who believes to be the last one decides; their leaving ends the wait, or the connection. */
export async function holdAsVisitor(session: Session): Promise<void> {
  while (!(await tryLock(session, "pg_try_advisory_lock_shared", visitors))) await pause(20);
}

/**
 * True when nobody else uses the server; then nobody can come to use it before it is down. The shared lock goes first:
 * were two leavers to keep theirs, each would see the other and neither would be the last.
 */
export async function leaveAsLast(session: Session): Promise<boolean> {
  await session.query("select pg_advisory_unlock_shared($1, $2)", [family, visitors]);
  return (await tryLock(session, "pg_try_advisory_lock", visitors)) && (await tryHoldAsGateway(session));
}

export async function findGatewayPid(session: Session): Promise<string | undefined> {
  const row = await session.query(
    `select activity.application_name as name
       from pg_locks as held join pg_stat_activity as activity using (pid)
      where held.locktype = 'advisory' and held.granted
        and held.classid::bigint = $1 and held.objid::bigint = $2 and held.objsubid = 2`,
    [family, gateway],
  );
  const name = String(row?.["name"] ?? "");
  return name.startsWith(applicationName) ? name.slice(applicationName.length) : undefined;
}

async function tryLock(
  session: Session,
  way: "pg_try_advisory_lock" | "pg_try_advisory_lock_shared",
  which: number,
): Promise<boolean> {
  return (await session.query(`select ${way}($1, $2) as gained`, [family, which]))?.["gained"] === true;
}
