import { setTimeout as pause } from "node:timers/promises";
import { findHolderName, tryLockAlone, tryLockShared, unlockShared } from "./queries.ts";
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
  return tryLockAlone(session, family, gateway);
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
  while (!(await tryLockShared(session, family, visitors))) await pause(20);
}

/**
 * True when nobody else uses the server; then nobody can come to use it before it is down. The shared lock goes first:
 * were two leavers to keep theirs, each would see the other and neither would be the last.
 */
export async function leaveAsLast(session: Session): Promise<boolean> {
  await unlockShared(session, family, visitors);
  return (await tryLockAlone(session, family, visitors)) && (await tryHoldAsGateway(session));
}

export async function findGatewayPid(session: Session): Promise<string | undefined> {
  const name = await findHolderName(session, family, gateway);
  return name?.startsWith(applicationName) ? name.slice(applicationName.length) : undefined;
}
