import { findMerchant, listMerchants, type Merchant } from "../../features/merchants/index.ts";
import { type Id, parseId } from "../../kernel/ids.ts";
import { refuse } from "../../kernel/refusal.ts";
import type { Context } from "../../platform/context.ts";
import { findUser } from "../access/users/queries.ts";
import { type DashboardUser, ROLES, type Role } from "../access/users/user.ts";
import type { Visit } from "../shell/page.ts";

/** The user of the page: one of the visitor's own merchant, unless the visitor is an operator, and not the visitor. */
export async function getOther(ctx: Context, visit: Visit<"{userId}">): Promise<DashboardUser> {
  const user = (await findUser(ctx.db, visit.params.userId)) ?? refuse("resource_not_found");
  if (!visit.may("operate") && user.merchantId !== visit.user.merchantId) refuse("resource_not_found");
  return user.id === visit.user.id ? refuse("dashboard_role_missing") : user;
}

/** The roles that the visitor may assign. */
export function rolesFor(visit: Visit): readonly Role[] {
  return visit.may("operate") ? ROLES : ROLES.filter((role) => role !== "operator");
}

/** The merchants to which the visitor may assign a user. */
export async function merchantsFor(ctx: Context, visit: Visit): Promise<readonly Merchant[]> {
  const { merchantId } = visit.user;
  if (merchantId === null) return listMerchants(ctx.db);
  return [(await findMerchant(ctx.db, merchantId)) ?? refuse("resource_not_found")];
}

export type Position = { readonly role: Role; readonly merchantId: Id<"merchant"> | null };

/** The role and the merchant that the form names. An operator belongs to no merchant. */
export async function readPosition(ctx: Context, visit: Visit): Promise<Position> {
  const { role: typed = "", merchant = "" } = visit.fields;
  const role = rolesFor(visit).find((one) => one === typed) ?? refuse("dashboard_user_role_invalid", "/role");
  if (role === "operator") return { role, merchantId: null };
  const merchantId =
    visit.user.merchantId ??
    parseId("merchant", merchant) ??
    refuse("dashboard_user_role_invalid", "/merchant");
  if (!(await merchantsFor(ctx, visit)).some(({ id }) => id === merchantId))
    refuse("dashboard_user_role_invalid", "/merchant");
  return { role, merchantId };
}
