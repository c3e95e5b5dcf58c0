import { type Instant, SECOND } from "../../../kernel/time.ts";
import { overAllServers } from "../../../platform/db/by-merchant.ts";
import type { Tx } from "../../../platform/db/database.ts";
import { listNextWaiting, listRecentlyDue } from "./queries.ts";

/** A change is committed within this time after its deliveries were written, as a rule. */
const COMMITTED_WITHIN = 2 * SECOND;
const LOOKED_BACK_AT_MOST = 60 * SECOND;
/** More than become due between two rounds. */
const RECENT_ROWS = 1_000;
/** Of 20,000 waiting merchants each is visited within 16 seconds. */
const VISITED_AT_ONCE = 256;
const VISIT_EVERY_MS = 100;

/**
 * Finds merchants that may have something due, at a cost that does not grow with the number of merchants that wait:
 * those of the deliveries that became due last, and some of all the others in turn. So a new event is found at once,
 * whatever backlog others have, and everything else (what became due while no node ran, what is to be closed) soon.
 */
export function createCandidateFinder(now: () => Instant): (tx: Tx) => Promise<readonly string[]> {
  let lastSearch = now() - LOOKED_BACK_AT_MOST;
  let lastVisit = 0;
  let visited = "";
  const visitNext = async (tx: Tx, at: Instant): Promise<readonly string[]> => {
    if (at - lastVisit < VISIT_EVERY_MS) return [];
    lastVisit = at;
    const next = await listNextWaiting(tx, visited, VISITED_AT_ONCE);
    visited = next.length < VISITED_AT_ONCE ? "" : (next.at(-1) ?? "");
    return next;
  };
  return async (tx) => {
    const at = now();
    const passed = Math.max(at - lastSearch, 0);
    const seconds = Math.min(passed + COMMITTED_WITHIN, LOOKED_BACK_AT_MOST) / SECOND;
    const recent = await overAllServers<readonly string[]>(
      tx,
      () => listRecentlyDue(tx, seconds, RECENT_ROWS),
      // Visits find them, too.
      async () => [],
    );
    const next = await visitNext(tx, at);
    lastSearch = at;
    return [...recent, ...next];
  };
}
