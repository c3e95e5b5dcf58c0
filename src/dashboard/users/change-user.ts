import { refuse } from "../../kernel/refusal.ts";
import { changeTime } from "../../kernel/time.ts";
import { record } from "../../platform/audit/queries.ts";
import type { Context } from "../../platform/context.ts";
import { deleteLinks } from "../access/invitations/queries.ts";
import { deleteSessions } from "../access/sessions/queries.ts";
import {
  lockOperators,
  lockSeenUser,
  noteSignIn,
  type SeenUser,
  updateUser,
} from "../access/users/queries.ts";
import type { DashboardUser, Role } from "../access/users/user.ts";
import { refuseLosingLastOperator } from "./remove-user.ts";

export type UserChange = {
  readonly disabled?: boolean;
  readonly role?: Role;
  /** The merchant; needed where an operator becomes a merchant's user. */
  readonly merchantId?: DashboardUser["merchantId"];
};

/**
 * Disables or enables a user, or changes the role. A disabled user is signed out at once, on every node; a new role applies
 * from the next request on, because every request reads the user. Refuses for a user who has come to another merchant or
 * become an operator since `seen` was read.
 */
export async function changeUser(ctx: Context, seen: SeenUser, change: UserChange): Promise<DashboardUser> {
  return ctx.db.transaction(async (tx) => {
    await lockOperators(tx);
    const before = await lockSeenUser(tx, seen);
    const { id } = before;
    const now = ctx.now();
    const user = { ...changed(before, change, now), updatedAt: changeTime(now, before.updatedAt) };
    await refuseLosingLastOperator(tx, before, user);
    await updateUser(tx, user);
    // From here on inactivity counts anew: the last sign-in may be long ago.
    if (before.disabledAt !== null && user.disabledAt === null) await noteSignIn(tx, id, now);
    if (user.disabledAt !== null) await deleteSessions(tx, id, null);
    // A link that a merchant's admin made must not lead into an operator's account, or into another merchant.
    const isMoved = user.merchantId !== before.merchantId;
    if (user.disabledAt !== null || isMoved) await deleteLinks(tx, id);
    const merchantId = user.merchantId ?? before.merchantId;
    await record(
      tx,
      { act: "user_changed", merchantId, subjectId: id, detail: changeWords(change, user) },
      now,
    );
    return user;
  });
}

function changed(before: DashboardUser, change: UserChange, now: DashboardUser["updatedAt"]): DashboardUser {
  const disabledAt =
    change.disabled === undefined ? before.disabledAt : change.disabled ? (before.disabledAt ?? now) : null;
  const role = change.role ?? before.role;
  const bound = change.merchantId ?? before.merchantId;
  const merchantId =
    role === "operator" ? null : (bound ?? refuse("dashboard_user_role_invalid", "/merchant"));
  return { ...before, role, merchantId, disabledAt };
}

function changeWords(change: UserChange, { role, merchantId }: DashboardUser): string {
  if (change.disabled !== undefined) return change.disabled ? "disabled" : "enabled";
  return merchantId === null ? `role ${role}` : `role ${role} of ${merchantId}`;
}
