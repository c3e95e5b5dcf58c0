import { record } from "../../../platform/audit/queries.ts";
import type { Context } from "../../../platform/context.ts";
import type { DashboardUser } from "../users/user.ts";
import { deleteSession, deleteSessions, type UserSession } from "./queries.ts";

/** Ends one session of the user, or all but the given one. */
export async function endSessions(
  ctx: Context,
  user: Pick<DashboardUser, "id" | "merchantId">,
  which: { readonly only: UserSession["id"] } | { readonly except: UserSession["id"] | null },
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    if ("only" in which) await deleteSession(tx, user.id, which.only);
    else await deleteSessions(tx, user.id, which.except);
    const { id: subjectId, merchantId } = user;
    const detail = "only" in which ? "one session" : "all sessions";
    await record(tx, { act: "user_signed_out", merchantId, subjectId, detail }, ctx.now());
  });
}
