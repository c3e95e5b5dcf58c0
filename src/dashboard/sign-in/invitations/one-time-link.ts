import { refuse } from "../../../kernel/refusal.ts";
import { later } from "../../../kernel/time.ts";
import { record } from "../../../platform/audit/queries.ts";
import type { Context } from "../../../platform/context.ts";
import { hashSecret, randomText } from "../../../platform/crypto/secrets.ts";
import type { Tx } from "../../../platform/db/database.ts";
import { findUser } from "../../users/queries.ts";
import { type DashboardUser, LINK_LIFE } from "../../users/user.ts";
import { deleteLinks, findLink, insertLink } from "./queries.ts";

/**
 * A link that works once, within a day: it lets a user choose a password, or makes an operator where none is named. The
 * secret stands after the `#`, which browsers keep to themselves, so that it is in no log of anybody's.
 */
export async function makeLink(
  ctx: Context,
  tx: Tx,
  user: Pick<DashboardUser, "id" | "merchantId"> | null,
): Promise<string> {
  const now = ctx.now();
  const secret = randomText(32);
  await deleteLinks(tx, user?.id ?? null);
  await insertLink(tx, hashSecret(secret), user?.id ?? null, later(now, LINK_LIFE));
  const { id: subjectId, merchantId = null } = user ?? {};
  await record(
    tx,
    { act: "user_link_made", merchantId, ...(subjectId === undefined ? {} : { subjectId }) },
    now,
  );
  return `${ctx.settings.baseUrl}/dashboard/welcome#${secret}`;
}

/** Whose link it is, without using it up; null: it makes an operator. */
export async function readInvitation(ctx: Context, secret: string): Promise<DashboardUser | null> {
  const link =
    (await findLink(ctx.db, hashSecret(secretOf(secret)), ctx.now())) ??
    refuse("dashboard_link_invalid", "/link");
  if (link.userId === null) return null;
  return usableUser(await findUser(ctx.db, link.userId));
}

export function usableUser(user: DashboardUser | undefined): DashboardUser {
  return user === undefined || user.disabledAt !== null ? refuse("dashboard_link_invalid", "/link") : user;
}

/** People paste the whole link as often as its end. */
export function secretOf(typed: string): string {
  return typed.trim().split("#").pop() ?? "";
}
