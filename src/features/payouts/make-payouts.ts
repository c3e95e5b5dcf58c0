import { CURRENCIES } from "../../kernel/money.ts";
import { later, MINUTE } from "../../kernel/time.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import type { NextRun } from "../../platform/jobs/job.ts";
import { MERCHANT_CLOCK, type Merchant, zoneOf } from "../merchants/index.ts";
import { buildPayout } from "./build-payout.ts";
import type { Payout } from "./payout.ts";
import { readDay } from "./queries.ts";

/**
 * One step of each payout that is due to a merchant: of the days that are over in the merchant's zone. Returns when to
 * go on: at once while there is more, else when the day is over.
 */
export async function runPayouts(ctx: Context, merchant: Merchant): Promise<NextRun> {
  const { start, end } = await readDay(ctx.db, clockOf(ctx, merchant), zoneOf(merchant));
  let isDone = true;
  for (const currency of CURRENCIES) {
    if ((await buildPayout(ctx, merchant, currency, start)) !== "nothing") isDone = false;
  }
  return isDone ? { onMerchantsClock: end, clock: MERCHANT_CLOCK } : ctx.now();
}

/** In the sandbox: pays out all that is held, including today's. */
export async function makePayoutsNow(ctx: Context, merchant: Merchant): Promise<readonly Payout[]> {
  const cutOff = later(clockOf(ctx, merchant), MINUTE);
  const made: Payout[] = [];
  for (const currency of CURRENCIES) {
    for (let isOver = false; !isOver; ) {
      const step = await buildPayout(ctx, merchant, currency, cutOff);
      if (typeof step === "object") made.push(step.payout);
      // A payout that was being built before may have an earlier cut-off.
      isOver = step === "nothing" || (typeof step === "object" && step.cutOff >= cutOff);
    }
  }
  return made;
}
