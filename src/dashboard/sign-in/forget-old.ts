import { DAY, later } from "../../kernel/time.ts";
import type { Context } from "../../platform/context.ts";
import { IDLE_LIFE, SESSION_LIFE } from "../users/user.ts";
import { deleteOldLinks, deleteOldSessions, deleteOldTries } from "./throttling/queries.ts";

/** Forgets sessions, links and tries that count no more. */
export async function forgetOldSessions(ctx: Context): Promise<void> {
  const now = ctx.now();
  await deleteOldSessions(ctx.db, later(now, -IDLE_LIFE), later(now, -SESSION_LIFE));
  await deleteOldLinks(ctx.db, now);
  await deleteOldTries(ctx.db, later(now, -DAY));
}
