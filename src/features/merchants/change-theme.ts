import type { Id } from "../../kernel/ids.ts";
import { record } from "../../platform/audit/queries.ts";
import type { Context } from "../../platform/context.ts";
import { MERCHANTS } from "./keys/create-key.ts";
import type { DefaultTheme } from "./merchant.ts";
import { lockMerchant, writeTheme } from "./queries.ts";

/** Sets the theme of checkouts and hosted pages that get none of their own. The caller has checked the values. */
export async function changeTheme(
  ctx: Context,
  merchantId: Id<"merchant">,
  theme: DefaultTheme | null,
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await lockMerchant(tx, merchantId);
    await writeTheme(tx, merchantId, theme);
    await record(
      tx,
      { act: "merchant_changed", merchantId, subjectId: merchantId, detail: "theme" },
      ctx.now(),
    );
    await ctx.cacheInvalidation.mark(tx, MERCHANTS);
  });
  ctx.cacheInvalidation.forget(MERCHANTS);
  await ctx.cacheInvalidation.spread();
}
