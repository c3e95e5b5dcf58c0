import type { Context } from "../../platform/context.ts";
import { claimKey, finishKeyAfter } from "../../platform/idempotency/claim-key.ts";
import { settleDebitsNow } from "../direct-debits/index.ts";
import { findMerchant, type RequestCaller } from "../merchants/index.ts";
import { makePayoutsNow } from "../payouts/index.ts";
import { settleRefundsNow } from "../refunds/index.ts";

/** How many records the simulated banks changed. */
export type Settlements = {
  readonly transactions: number;
  readonly refunds: number;
  readonly payouts: number;
};

/** Settles the caller's debits and refunds now, and pays out all held money. */
export async function runSettlements(ctx: Context, caller: RequestCaller): Promise<Settlements> {
  await ctx.db.transaction((tx) => claimKey(tx, caller, { id: null, path: null, goesOn: true }));
  return finishKeyAfter(ctx, caller, () => settle(ctx, caller));
}

async function settle(ctx: Context, caller: RequestCaller): Promise<Settlements> {
  // Another node may have moved the merchant's clock a moment ago.
  const merchant = (await findMerchant(ctx.db, caller.merchantId)) ?? caller.merchant;
  const transactions = await settleDebitsNow(ctx, merchant);
  const refunds = await settleRefundsNow(ctx, merchant);
  const payouts = (await makePayoutsNow(ctx, merchant)).length;
  return { transactions, refunds, payouts };
}
