import { takesCredentialsElsewhere } from "../../features/webhooks/index.ts";
import type { Context } from "../../platform/context.ts";
import type { MerchantVisit } from "../shell/page.ts";

/** Deliveries would carry the credentials to a new origin: as sensitive as a change of the credentials. */
export function takesCredentials(ctx: Context, { merchant, fields }: MerchantVisit): Promise<boolean> {
  return takesCredentialsElsewhere(ctx.db, merchant.id, (fields["url"] ?? "").trim());
}
