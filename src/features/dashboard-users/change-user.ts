import { refuse, refuseAll } from "../../kernel/refusal.ts";
import { changeTime } from "../../kernel/time.ts";
import { record } from "../../platform/audit/queries.ts";
import { hashPassword, isPassword } from "../../platform/crypto/passwords.ts";
import type { World } from "../../platform/world.ts";
import { type DashboardUser, passwordProblems, type Role } from "./dashboard-user.ts";
import { deleteLinks, deleteSession, deleteSessions, lockUser, updateUser } from "./queries.ts";
import type { UserSession } from "./session.ts";
import { beginTry, endTry } from "./tries/limit-tries.ts";

/** A new password for whoever knows the old one. Every other session of the user ends, and so does a link not taken up. */
export async function changePassword(
  world: World,
  user: DashboardUser,
  session: UserSession,
  ask: { readonly current: string; readonly password: string },
): Promise<void> {
  const tried = { account: `${user.email} password`, address: session.address };
  await beginTry(world, tried);
  if (!(await isPassword(ask.current, user.passwordHash))) refuse("V13014", "/current");
  await endTry(world, tried);
  refuseAll(passwordProblems(ask.password, user));
  const passwordHash = await hashPassword(ask.password);
  await world.db.transaction(async (tx) => {
    const before = await lockUser(tx, user.id);
    const now = world.now();
    await updateUser(tx, { ...before, passwordHash, updatedAt: changeTime(now, before.updatedAt) });
    await deleteSessions(tx, user.id, session.id);
    await deleteLinks(tx, user.id);
    await record(tx, { act: "user_password_changed", merchantId: user.merchantId, subjectId: user.id }, now);
  });
}

/** Disables or enables a user, or gives another role. Disabled: out at once, on every node. */
export async function changeUser(
  world: World,
  id: DashboardUser["id"],
  change: { readonly disabled?: boolean; readonly role?: Role },
): Promise<DashboardUser> {
  return world.db.transaction(async (tx) => {
    const before = await lockUser(tx, id);
    const now = world.now();
    const disabledAt =
      change.disabled === undefined ? before.disabledAt : change.disabled ? (before.disabledAt ?? now) : null;
    const role = change.role ?? before.role;
    if ((role === "operator") !== (before.role === "operator")) refuse("V13003", "/role");
    const user = { ...before, role, disabledAt, updatedAt: changeTime(now, before.updatedAt) };
    await updateUser(tx, user);
    if (disabledAt !== null) {
      await deleteSessions(tx, id, null);
      await deleteLinks(tx, id);
    }
    const detail = disabledAt === null ? `role ${role}` : "disabled";
    await record(tx, { act: "user_changed", merchantId: user.merchantId, subjectId: id, detail }, now);
    return user;
  });
}

/** Ends one session of the user, or all but the given one. */
export async function endSessions(
  world: World,
  user: Pick<DashboardUser, "id" | "merchantId">,
  which: { readonly only: UserSession["id"] } | { readonly except: UserSession["id"] | null },
): Promise<void> {
  await world.db.transaction(async (tx) => {
    if ("only" in which) await deleteSession(tx, user.id, which.only);
    else await deleteSessions(tx, user.id, which.except);
    const { id: subjectId, merchantId } = user;
    const detail = "only" in which ? "one session" : "all sessions";
    await record(tx, { act: "user_signed_out", merchantId, subjectId, detail }, world.now());
  });
}
