import { defined } from "../../../kernel/defined.ts";
import { refuse } from "../../../kernel/refusal.ts";
import { later } from "../../../kernel/time.ts";
import { record } from "../../../platform/audit/queries.ts";
import type { Context } from "../../../platform/context.ts";
import { hashSecret, randomText } from "../../../platform/crypto/secrets.ts";
import type { Tx } from "../../../platform/db/database.ts";
import { findUser, lockSeenUser, type SeenUser } from "../users/queries.ts";
import { type DashboardUser, LINK_LIFE } from "../users/user.ts";
import { deleteLinks, findLink, insertLink } from "./queries.ts";

/**
 * Creates a link that works once, within a day: it lets a user choose a password, or creates an operator where no user is
 * given. The secret is after the `#`, which browsers do not send, so no log has it. Refuses for a user who has come to
 * another merchant or become an operator meanwhile.
 */
export async function createLink(ctx: Context, tx: Tx, user: SeenUser | null): Promise<string> {
  if (user !== null) await lockSeenUser(tx, user);
  const now = ctx.now();
  const secret = randomText(32);
  await deleteLinks(tx, user?.id ?? null);
  await insertLink(tx, hashSecret(secret), user?.id ?? null, later(now, LINK_LIFE));
  const { id: subjectId, merchantId = null } = user ?? {};
  await record(tx, defined({ act: "user_link_made", merchantId, subjectId }), now);
  return `${ctx.settings.dashboardUrl}/dashboard/welcome#${secret}`;
}

/** The user of a link, without using it up; null: it creates an operator. */
export async function getInvited(ctx: Context, link: string): Promise<DashboardUser | null> {
  const { userId } =
    (await findLink(ctx.db, hashSecret(secretOf(link)), ctx.now())) ??
    refuse("dashboard_link_invalid", "/link");
  return userId === null ? null : usableUser(await findUser(ctx.db, userId));
}

export function usableUser(user: DashboardUser | undefined): DashboardUser {
  return user === undefined || user.disabledAt !== null ? refuse("dashboard_link_invalid", "/link") : user;
}

/** Users paste the full link or its end. */
export function secretOf(typed: string): string {
  return typed.trim().split("#").pop() ?? "";
}
