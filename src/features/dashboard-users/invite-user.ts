import { type Id, newId } from "../../kernel/ids.ts";
import { refuse, refuseAll } from "../../kernel/refusal.ts";
import { record } from "../../platform/audit/queries.ts";
import type { World } from "../../platform/world.ts";
import { type DashboardUser, emailOf, emailProblems, nameProblems, type Role } from "./dashboard-user.ts";
import { makeLink } from "./links/one-time-link.ts";
import { insertUser } from "./queries.ts";

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
  if ((ask.role === "operator") !== (ask.merchantId === null)) refuse("V13003", "/role");
  return world.db.transaction(async (tx) => {
    const now = world.now();
    const user: DashboardUser = {
      id: newId("user", now),
      merchantId: ask.merchantId,
      role: ask.role,
      email,
      name,
      passwordHash: null,
      sealedTotp: null,
      totpConfirmed: false,
      totpStep: 0,
      disabledAt: null,
      createdAt: now,
      updatedAt: now,
    };
    if (!(await insertUser(tx, user))) refuse("V13004", "/email");
    const { merchantId, id: subjectId, role } = user;
    await record(tx, { act: "user_made", merchantId, subjectId, detail: role }, now);
    return { user, link: await makeLink(world, tx, user) };
  });
}
