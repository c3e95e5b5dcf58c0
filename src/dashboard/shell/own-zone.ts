import { findMerchant, zoneOf } from "../../features/merchants/index.ts";
import type { TimeZone } from "../../kernel/country.ts";
import type { Context } from "../../platform/context.ts";
import type { DashboardUser } from "../access/users/user.ts";

/** The zone of the user's merchant, for pages of no merchant. An operator belongs to none and reads UTC. */
export async function zoneOfUser(
  ctx: Pick<Context, "db">,
  { merchantId }: Pick<DashboardUser, "merchantId">,
): Promise<TimeZone | "UTC"> {
  const merchant = merchantId === null ? undefined : await findMerchant(ctx.db, merchantId);
  return merchant === undefined ? "UTC" : zoneOf(merchant);
}
