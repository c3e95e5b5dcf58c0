import { refuse, refuseAll } from "../../../kernel/refusal.ts";
import { changeTime } from "../../../kernel/time.ts";
import { record } from "../../../platform/audit/queries.ts";
import type { Context } from "../../../platform/context.ts";
import { hashPassword } from "../../../platform/crypto/passwords.ts";
import { hashSecret } from "../../../platform/crypto/secrets.ts";
import type { Tx } from "../../../platform/db/database.ts";
import { makeUser } from "../../users/make-user.ts";
import { findUser, lockUser, updateUser } from "../../users/queries.ts";
import {
  type DashboardUser,
  emailOf,
  emailProblems,
  nameProblems,
  passwordProblems,
  withPassword,
} from "../../users/user.ts";
import { deleteSessions } from "../sessions/queries.ts";
import { type Device, type OpenedSession, openSession } from "../sessions/session.ts";
import { readInvitation, secretOf, usableUser } from "./one-time-link.ts";
import { takeLink } from "./queries.ts";

export type LinkAnswer = {
  readonly link: string;
  /** Asked for only when the link makes an operator. */
  readonly email: string;
  readonly name: string;
  readonly password: string;
};

/** Uses the link up: the user has a password from now on and is signed in, as far as the second factor lets anybody in. */
export async function acceptInvitation(
  ctx: Context,
  answer: LinkAnswer,
  device: Device,
): Promise<OpenedSession> {
  const known = await readInvitation(ctx, answer.link);
  const email = known?.email ?? emailOf(answer.email);
  const name = answer.name.trim();
  refuseAll([
    ...emailProblems(email),
    ...nameProblems(name),
    ...passwordProblems(answer.password, { email, name }),
  ]);
  const passwordHash = await hashPassword(answer.password);
  return ctx.db.transaction(async (tx) => {
    const now = ctx.now();
    const link =
      (await takeLink(tx, hashSecret(secretOf(answer.link)), now)) ??
      refuse("dashboard_link_invalid", "/link");
    const user =
      link.userId === null
        ? await makeUser(ctx, tx, { merchantId: null, role: "operator", email, name, passwordHash })
        : await welcome(tx, usableUser(await findUser(tx, link.userId)), { name, passwordHash, now });
    await record(tx, { act: "user_link_used", merchantId: user.merchantId, subjectId: user.id }, now);
    return openSession(ctx, tx, user.id, device, !user.totpConfirmed);
  });
}

/** A new password ends what was open under the old one. */
async function welcome(
  tx: Tx,
  { id }: DashboardUser,
  { name, passwordHash, now }: { name: string; passwordHash: string; now: DashboardUser["createdAt"] },
): Promise<DashboardUser> {
  const before = await lockUser(tx, id);
  const updatedAt = changeTime(now, before.updatedAt);
  const user = { ...withPassword(before, passwordHash), name, updatedAt };
  await updateUser(tx, user);
  await deleteSessions(tx, id, null);
  await record(tx, { act: "user_password_changed", merchantId: user.merchantId, subjectId: id }, now);
  return user;
}
