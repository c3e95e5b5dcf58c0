import { refuse } from "../../kernel/refusal.ts";
import { DAY, type Instant, SECOND } from "../../kernel/time.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import { claimKey } from "../../platform/idempotency/claim-key.ts";
import { lockMerchant, MERCHANTS, type RequestCaller, updateMerchant } from "../merchants/index.ts";
import { moveWork } from "./move-work.ts";

const FARTHEST = 20 * 366 * DAY;

/** Moves the caller's clock ahead, with every job and delivery of the caller that is due later. */
export async function advanceClock(ctx: Context, caller: RequestCaller, seconds: number): Promise<Instant> {
  const merchant = await ctx.db.transaction(async (tx) => {
    await claimKey(tx, caller, { id: null, path: null });
    const before = await lockMerchant(tx, caller.merchantId);
    const after = { ...before, clockOffset: before.clockOffset + seconds * SECOND };
    if (after.clockOffset > FARTHEST) refuse("sandbox_clock_limit_conflict", "/seconds");
    await updateMerchant(tx, after);
    await moveWork(ctx, tx, after, seconds);
    await ctx.cacheInvalidation.mark(tx, MERCHANTS);
    return after;
  });
  ctx.cacheInvalidation.forget(MERCHANTS);
  ctx.wakeJobs();
  await ctx.cacheInvalidation.spread();
  return clockOf(ctx, merchant);
}
