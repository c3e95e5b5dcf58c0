import { refuse } from "../../kernel/refusal.ts";
import { record } from "../../platform/audit/queries.ts";
import type { Context } from "../../platform/context.ts";
import { isPassword } from "../../platform/crypto/passwords.ts";
import { type Device, type OpenedSession, openSession } from "../access/sessions/session.ts";
import { clearAttempts, throttle } from "../access/throttling/throttle.ts";
import { findUserByEmail, lockUserIfThere } from "../access/users/queries.ts";
import { emailOf } from "../access/users/user.ts";

/**
 * Opens a session for the right password; with a second factor the session is not complete yet. An unknown user, a disabled
 * one and a wrong password get the same answer after the same work.
 */
export async function signIn(
  ctx: Context,
  { email, password }: { readonly email: string; readonly password: string },
  device: Device,
): Promise<OpenedSession> {
  const attempt = { kind: "sign-in", email: emailOf(email), address: device.address } as const;
  await throttle(ctx, attempt);
  const user = await findUserByEmail(ctx.db, attempt.email);
  const known = await isPassword(password.slice(0, 1_000), user?.passwordHash);
  if (user === undefined || !known || user.disabledAt !== null) {
    const subject = user === undefined ? {} : { merchantId: user.merchantId, subjectId: user.id };
    await record(ctx.db, { act: "user_sign_in_failed", ...subject, detail: "password" }, ctx.now());
    return refuse("dashboard_sign_in_refused");
  }
  const isComplete = !user.totpConfirmed;
  // With a second factor attempts count until its code was right, too.
  if (isComplete) await clearAttempts(ctx, attempt);
  return ctx.db.transaction(async (tx) => {
    // While the password was checked, the user may have been removed or disabled, or given another password.
    const now = await lockUserIfThere(tx, user.id);
    if (now?.passwordHash !== user.passwordHash || now.disabledAt !== null)
      refuse("dashboard_sign_in_refused");
    const opened = await openSession(ctx, tx, { userId: user.id, device, isComplete });
    if (isComplete) {
      const { merchantId, id } = user;
      await record(tx, { act: "user_signed_in", merchantId, subjectId: id, detail: "password" }, ctx.now());
    }
    return opened;
  });
}
