import { DAY, later } from "../../kernel/time.ts";
import type { World } from "../../platform/world.ts";
import { IDLE_LIFE, SESSION_LIFE } from "./dashboard-user.ts";
import { deleteOldLinks, deleteOldSessions, deleteOldTries } from "./tries/queries.ts";

/** Forgets sessions, links and tries that count no more. */
export async function forgetOldSessions(world: World): Promise<void> {
  const now = world.now();
  await deleteOldSessions(world.db, later(now, -IDLE_LIFE), later(now, -SESSION_LIFE));
  await deleteOldLinks(world.db, now);
  await deleteOldTries(world.db, later(now, -DAY));
}
