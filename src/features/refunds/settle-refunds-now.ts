import type { Context } from "../../platform/context.ts";
import type { Merchant } from "../merchants/index.ts";
import { findRefund, listPending } from "./queries.ts";
import { settleRefund } from "./settle-refund.ts";

const AT_ONCE = 200;

/** Sandbox only: settles all pending refunds at once. Returns how many changed. */
export async function settleRefundsNow(ctx: Context, merchant: Merchant): Promise<number> {
  let changed = 0;
  for (let after = ""; ; ) {
    const refunds = await listPending(ctx.db, merchant.id, after, AT_ONCE);
    for (const refund of refunds) {
      await settleRefund(ctx, merchant, refund);
      if ((await findRefund(ctx.db, merchant.id, refund.id))?.status !== "pending") changed += 1;
    }
    const last = refunds.at(-1);
    if (last === undefined || refunds.length < AT_ONCE) return changed;
    after = last.id;
  }
}
