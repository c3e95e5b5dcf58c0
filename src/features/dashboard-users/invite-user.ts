import type { Id } from "../../kernel/ids.ts";
import { refuse, refuseAll } from "../../kernel/refusal.ts";
import type { World } from "../../platform/world.ts";
import { type DashboardUser, emailOf, emailProblems, nameProblems, type Role } from "./dashboard-user.ts";
import { makeLink } from "./links/one-time-link.ts";
import { makeUser } from "./make-user.ts";

export type Invitation = {
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly merchantId: Id<"merchant"> | null;
};

/** Makes a user without a password, and the link with which that person chooses one. */
export async function inviteUser(
  world: World,
  ask: Invitation,
): Promise<{ readonly user: DashboardUser; readonly link: string }> {
  const email = emailOf(ask.email);
  const name = ask.name.trim();
  refuseAll([...emailProblems(email), ...nameProblems(name)]);
  if ((ask.role === "operator") !== (ask.merchantId === null)) refuse("dashboard_user_role_invalid", "/role");
  return world.db.transaction(async (tx) => {
    const { role, merchantId } = ask;
    const user = await makeUser(world, tx, { merchantId, role, email, name, passwordHash: null });
    return { user, link: await makeLink(world, tx, user) };
  });
}
