import { refuse, refuseAll } from "../../kernel/refusal.ts";
import { changeTime } from "../../kernel/time.ts";
import { record } from "../../platform/audit/queries.ts";
import type { Context } from "../../platform/context.ts";
import { hashPassword, isPassword } from "../../platform/crypto/passwords.ts";
import { deleteLinks } from "../sign-in/invitations/queries.ts";
import { deleteSession, deleteSessions } from "../sign-in/sessions/queries.ts";
import type { UserSession } from "../sign-in/sessions/session.ts";
import { beginTry, endTry } from "../sign-in/throttling/throttle.ts";
import { lockOperators, lockUser, updateUser } from "./queries.ts";
import { refuseLoss } from "./remove-user.ts";
import { type DashboardUser, passwordProblems, type Role, withPassword } from "./user.ts";

/** A new password for whoever knows the old one. Every other session of the user ends, and so does a link not taken up. */
export async function changePassword(
  ctx: Context,
  user: DashboardUser,
  session: UserSession,
  input: { readonly current: string; readonly password: string },
): Promise<void> {
  const tried = { account: `${user.email} password`, address: session.address };
  await beginTry(ctx, tried);
  if (!(await isPassword(input.current, user.passwordHash))) refuse("dashboard_password_refused", "/current");
  await endTry(ctx, tried);
  refuseAll(passwordProblems(input.password, user));
  const passwordHash = await hashPassword(input.password);
  await ctx.db.transaction(async (tx) => {
    const before = await lockUser(tx, user.id);
    const now = ctx.now();
    await updateUser(tx, {
      ...withPassword(before, passwordHash),
      updatedAt: changeTime(now, before.updatedAt),
    });
    await deleteSessions(tx, user.id, session.id);
    await deleteLinks(tx, user.id);
    await record(tx, { act: "user_password_changed", merchantId: user.merchantId, subjectId: user.id }, now);
  });
}

export type UserChange = {
  readonly disabled?: boolean;
  readonly role?: Role;
  /** Whose user it becomes; needed where an operator becomes a merchant's user. */
  readonly merchantId?: DashboardUser["merchantId"];
};

/**
 * Disables or enables a user, or gives another role. Disabled: out at once, on every node. Open sessions have the new role
 * from their next request on, since each asks who the user is.
 */
export async function changeUser(
  ctx: Context,
  id: DashboardUser["id"],
  change: UserChange,
): Promise<DashboardUser> {
  return ctx.db.transaction(async (tx) => {
    await lockOperators(tx);
    const before = await lockUser(tx, id);
    const now = ctx.now();
    const user = { ...changed(before, change, now), updatedAt: changeTime(now, before.updatedAt) };
    await refuseLoss(tx, before, user);
    await updateUser(tx, user);
    if (user.disabledAt !== null) {
      await deleteSessions(tx, id, null);
      await deleteLinks(tx, id);
    }
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
