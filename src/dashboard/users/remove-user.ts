import { refuse } from "../../kernel/refusal.ts";
import { record } from "../../platform/audit/queries.ts";
import type { Context } from "../../platform/context.ts";
import type { Tx } from "../../platform/db/database.ts";
import { deleteLinks } from "../access/invitations/queries.ts";
import { putRecoveryCodes } from "../access/second-factor/queries.ts";
import { deleteSessions } from "../access/sessions/queries.ts";
import {
  deleteUser,
  hasOtherActiveOperator,
  lockOperators,
  lockSeenUser,
  type SeenUser,
} from "../access/users/queries.ts";
import { type DashboardUser, isActiveOperator } from "../access/users/user.ts";

/** Deletes a user with sessions, links and second factor. The audit log keeps what they did, and their e-mail address. */
export async function removeUser(ctx: Context, seen: SeenUser): Promise<DashboardUser> {
  return ctx.db.transaction(async (tx) => {
    await lockOperators(tx);
    const user = await lockSeenUser(tx, seen);
    const { id, merchantId, email, role } = user;
    await refuseLosingLastOperator(tx, user, undefined);
    await deleteSessions(tx, id, null);
    await deleteLinks(tx, id);
    await putRecoveryCodes(tx, id, []);
    await deleteUser(tx, id);
    await record(
      tx,
      { act: "user_removed", merchantId, subjectId: id, detail: `${role}, ${email}`.slice(0, 200) },
      ctx.now(),
    );
    return user;
  });
}

/** The gateway keeps one operator who can sign in and invite others. */
export async function refuseLosingLastOperator(
  tx: Tx,
  before: DashboardUser,
  after: DashboardUser | undefined,
): Promise<void> {
  const lost = isActiveOperator(before) && (after === undefined || !isActiveOperator(after));
  if (lost && !(await hasOtherActiveOperator(tx, before.id))) refuse("dashboard_last_operator", "/role");
}
