import { refuse } from "../../kernel/refusal.ts";
import { record } from "../../platform/audit/queries.ts";
import type { Context } from "../../platform/context.ts";
import type { Tx } from "../../platform/db/database.ts";
import { deleteLinks } from "../sign-in/invitations/queries.ts";
import { putRecoveryCodes } from "../sign-in/second-factor/queries.ts";
import { deleteSessions } from "../sign-in/sessions/queries.ts";
import { deleteUser, hasOtherKeyholder, lockOperators, lockUser } from "./queries.ts";
import { type DashboardUser, isKeyholder } from "./user.ts";

/** Takes a user away with sessions, links and second factor. What they did stays on record, under their address. */
export async function removeUser(ctx: Context, id: DashboardUser["id"]): Promise<DashboardUser> {
  return ctx.db.transaction(async (tx) => {
    await lockOperators(tx);
    const user = await lockUser(tx, id);
    await refuseLoss(tx, user, undefined);
    await deleteSessions(tx, id, null);
    await deleteLinks(tx, id);
    await putRecoveryCodes(tx, id, []);
    await deleteUser(tx, id);
    const { merchantId, email, role } = user;
    await record(
      tx,
      { act: "user_removed", merchantId, subjectId: id, detail: `${role}, ${email}`.slice(0, 200) },
      ctx.now(),
    );
    return user;
  });
}

/** The gateway keeps somebody who can let others in. */
export async function refuseLoss(
  tx: Tx,
  before: DashboardUser,
  after: DashboardUser | undefined,
): Promise<void> {
  const lost = isKeyholder(before) && (after === undefined || !isKeyholder(after));
  if (lost && !(await hasOtherKeyholder(tx, before.id))) refuse("dashboard_last_operator", "/role");
}
