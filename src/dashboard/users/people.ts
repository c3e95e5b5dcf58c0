import { listMerchants, type Merchant } from "../../features/merchants/index.ts";
import { type Id, parseId } from "../../kernel/ids.ts";
import { refuse } from "../../kernel/refusal.ts";
import type { Context } from "../../platform/context.ts";
import type { Visit } from "../shell/visit.ts";
import { findUser } from "./queries.ts";
import { type DashboardUser, ROLES, type Role } from "./user.ts";

/** Nobody changes themselves here, and nobody reaches above themselves. */
export async function getOther(ctx: Context, visit: Visit): Promise<DashboardUser> {
  const id = parseId("user", visit.params["userId"] ?? "") ?? refuse("resource_not_found");
  const user = (await findUser(ctx.db, id)) ?? refuse("resource_not_found");
  if (!visit.may("operate") && user.merchantId !== visit.user.merchantId) refuse("resource_not_found");
  return user.id === visit.user.id ? refuse("dashboard_role_missing") : user;
}

/** The roles that whoever looks may give. */
export function rolesFor(visit: Visit): readonly Role[] {
  return visit.may("operate") ? ROLES : ROLES.filter((role) => role !== "operator");
}

/** The merchants that whoever looks may bind somebody to. */
export async function merchantsFor(ctx: Context, visit: Visit): Promise<readonly Merchant[]> {
  const { merchantId } = visit.user;
  return (await listMerchants(ctx.db)).filter(({ id }) => merchantId === null || id === merchantId);
}

export type Position = { readonly role: Role; readonly merchantId: Id<"merchant"> | null };

/** The role that a form asks for, and the merchant that goes with it. An operator belongs to none. */
export async function positionAsked(ctx: Context, visit: Visit): Promise<Position> {
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

export function standingOf({ disabledAt, passwordHash }: DashboardUser): "disabled" | "invited" | "active" {
  return disabledAt !== null ? "disabled" : passwordHash === null ? "invited" : "active";
}
