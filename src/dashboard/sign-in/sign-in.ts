import { refuse } from "../../kernel/refusal.ts";
import { record } from "../../platform/audit/queries.ts";
import type { Context } from "../../platform/context.ts";
import { isPassword } from "../../platform/crypto/passwords.ts";
import { findUserByEmail, lockUserIfThere } from "../users/queries.ts";
import { emailOf } from "../users/user.ts";
import { type Device, type OpenedSession, openSession } from "./sessions/session.ts";
import { beginTry, endTry } from "./throttling/throttle.ts";

/**
 * Gives a session to whoever knows the password; it opens nothing yet where there is a second factor. Whether the user
 * exists, is disabled or has another password: the answer and the work are the same.
 */
export async function signIn(
  ctx: Context,
  { email, password }: { readonly email: string; readonly password: string },
  device: Device,
): Promise<OpenedSession> {
  const account = emailOf(email);
  const tried = { account, address: device.address };
  await beginTry(ctx, tried);
  const user = await findUserByEmail(ctx.db, account);
  const known = await isPassword(password.slice(0, 1_000), user?.passwordHash);
  if (user === undefined || !known || user.disabledAt !== null) {
    const subject = user === undefined ? {} : { merchantId: user.merchantId, subjectId: user.id };
    await record(ctx.db, { act: "user_sign_in_failed", ...subject, detail: "password" }, ctx.now());
    return refuse("dashboard_sign_in_refused");
  }
  const complete = !user.totpConfirmed;
  // With a second factor the tries go on being counted until it was given, too.
  if (complete) await endTry(ctx, tried);
  return ctx.db.transaction(async (tx) => {
    // To check a password takes a while, in which the user may have been removed, locked out or given another one.
    const now = await lockUserIfThere(tx, user.id);
    if (now?.passwordHash !== user.passwordHash || now.disabledAt !== null)
      refuse("dashboard_sign_in_refused");
    const opened = await openSession(ctx, tx, user.id, device, complete);
    if (complete) {
      const { merchantId, id } = user;
      await record(tx, { act: "user_signed_in", merchantId, subjectId: id, detail: "password" }, ctx.now());
    }
    return opened;
  });
}
