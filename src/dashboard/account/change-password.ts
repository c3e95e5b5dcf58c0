import { refuse } from "../../kernel/refusal.ts";
import { changeTime } from "../../kernel/time.ts";
import { record } from "../../platform/audit/queries.ts";
import type { Context } from "../../platform/context.ts";
import { isPassword } from "../../platform/crypto/passwords.ts";
import { deleteLinks } from "../access/invitations/queries.ts";
import { deleteSessions, type SignedIn } from "../access/sessions/queries.ts";
import { lockSignedIn } from "../access/sessions/session.ts";
import { clearAttempts, throttle } from "../access/throttling/throttle.ts";
import { hashNewPassword } from "../access/users/new-password.ts";
import { updateUser } from "../access/users/queries.ts";
import { withPassword } from "../access/users/user.ts";

/** Replaces the password for a user who knows the current one. Ends the user's other sessions and unused links. */
export async function changePassword(
  ctx: Context,
  { user, session }: SignedIn,
  input: { readonly current: string; readonly password: string },
): Promise<void> {
  const attempt = { kind: "password", email: user.email, address: session.address } as const;
  await throttle(ctx, attempt);
  if (!(await isPassword(input.current, user.passwordHash))) refuse("dashboard_password_refused", "/current");
  await clearAttempts(ctx, attempt);
  const passwordHash = await hashNewPassword(input.password, user);
  await ctx.db.transaction(async (tx) => {
    const before = await lockSignedIn(tx, { user, session });
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
