import { refuse, refuseAll } from "../../../kernel/refusal.ts";
import { changeTime } from "../../../kernel/time.ts";
import { record } from "../../../platform/audit/queries.ts";
import type { Context } from "../../../platform/context.ts";
import { hashSecret } from "../../../platform/crypto/secrets.ts";
import type { Tx } from "../../../platform/db/database.ts";
import { deleteSessions } from "../sessions/queries.ts";
import { type Device, type OpenedSession, openSession } from "../sessions/session.ts";
import { createUser } from "../users/create-user.ts";
import { hashNewPassword } from "../users/new-password.ts";
import { lockUserIfThere, updateUser } from "../users/queries.ts";
import {
  type DashboardUser,
  emailOf,
  emailProblems,
  nameProblems,
  passwordProblems,
  withPassword,
} from "../users/user.ts";
import { getInvited, secretOf, usableUser } from "./link.ts";
import { takeLink } from "./queries.ts";

export type WelcomeInput = {
  readonly link: string;
  /** Used only when the link creates an operator. */
  readonly email: string;
  readonly name: string;
  readonly password: string;
};

/** Uses the link up: sets the password and opens a session, which a second factor must complete. */
export async function acceptInvitation(
  ctx: Context,
  input: WelcomeInput,
  device: Device,
): Promise<OpenedSession> {
  const known = await getInvited(ctx, input.link);
  const email = known?.email ?? emailOf(input.email);
  const name = input.name.trim();
  refuseAll([
    ...emailProblems(email),
    ...nameProblems(name),
    ...passwordProblems(input.password, { email, name }),
  ]);
  const earlier = { passwordHash: known?.passwordHash ?? null, previousHashes: known?.previousHashes ?? [] };
  const passwordHash = await hashNewPassword(input.password, { email, name, ...earlier });
  return ctx.db.transaction(async (tx) => {
    const now = ctx.now();
    const link =
      (await takeLink(tx, hashSecret(secretOf(input.link)), now)) ??
      refuse("dashboard_link_invalid", "/link");
    const user =
      link.userId === null
        ? await createUser(ctx, tx, { merchantId: null, role: "operator", email, name, passwordHash })
        : await setPassword(tx, link.userId, { name, passwordHash, now });
    await record(tx, { act: "user_link_used", merchantId: user.merchantId, subjectId: user.id }, now);
    return openSession(ctx, tx, { userId: user.id, device, isComplete: !user.totpConfirmed });
  });
}

/** A new password ends the sessions of the old one. */
async function setPassword(
  tx: Tx,
  id: DashboardUser["id"],
  { name, passwordHash, now }: { name: string; passwordHash: string; now: DashboardUser["createdAt"] },
): Promise<DashboardUser> {
  const before = usableUser(await lockUserIfThere(tx, id));
  const updatedAt = changeTime(now, before.updatedAt);
  const user = { ...withPassword(before, passwordHash), name, updatedAt };
  await updateUser(tx, user);
  await deleteSessions(tx, id, null);
  await record(tx, { act: "user_password_changed", merchantId: user.merchantId, subjectId: id }, now);
  return user;
}
