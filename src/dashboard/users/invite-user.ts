import type { Id } from "../../kernel/ids.ts";
import { refuse, refuseAll } from "../../kernel/refusal.ts";
import type { Context } from "../../platform/context.ts";
import { createLink } from "../access/invitations/link.ts";
import { createUser } from "../access/users/create-user.ts";
import { type DashboardUser, emailOf, emailProblems, nameProblems, type Role } from "../access/users/user.ts";

export type Invitation = {
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly merchantId: Id<"merchant"> | null;
};

/** Creates a user without a password, and the link with which they choose one. */
export async function inviteUser(
  ctx: Context,
  input: Invitation,
): Promise<{ readonly user: DashboardUser; readonly link: string }> {
  const email = emailOf(input.email);
  const name = input.name.trim();
  refuseAll([...emailProblems(email), ...nameProblems(name)]);
  if ((input.role === "operator") !== (input.merchantId === null))
    refuse("dashboard_user_role_invalid", "/role");
  return ctx.db.transaction(async (tx) => {
    const { role, merchantId } = input;
    const user = await createUser(ctx, tx, { merchantId, role, email, name, passwordHash: null });
    return { user, link: await createLink(ctx, tx, user) };
  });
}
