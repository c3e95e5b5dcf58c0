import { DAY, later } from "../../kernel/time.ts";
import type { Context } from "../../platform/context.ts";
import { deleteOldLinks } from "../access/invitations/queries.ts";
import { deleteOldSessions } from "../access/sessions/queries.ts";
import { deleteOldAttempts } from "../access/throttling/queries.ts";
import { IDLE_LIFE, SESSION_LIFE } from "../access/users/user.ts";

/** Deletes sessions, links and counted attempts that have no effect any more. */
export async function deleteExpired(ctx: Context): Promise<void> {
  const now = ctx.now();
  await deleteOldSessions(ctx.db, later(now, -IDLE_LIFE), later(now, -SESSION_LIFE));
  await deleteOldLinks(ctx.db, now);
  await deleteOldAttempts(ctx.db, later(now, -DAY));
}
