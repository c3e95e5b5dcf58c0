import { claimKey } from "../../platform/idempotency/claim-key.ts";
import type { World } from "../../platform/world.ts";
import { settleDebitsNow } from "../direct-debits/index.ts";
import { findMerchant, type RequestCaller } from "../merchants/index.ts";
import { makePayoutsNow } from "../payouts/index.ts";
import { settleRefundsNow } from "../refunds/index.ts";

/** What happened at the sandbox's banks. */
export type Settlements = {
  readonly transactions: number;
  readonly refunds: number;
  readonly payouts: number;
};

/** What the caller's debits and refunds wait for happens now, and all that is held is paid out. */
export async function runSettlements(world: World, caller: RequestCaller): Promise<Settlements> {
  await world.db.transaction((tx) => claimKey(tx, caller, { id: null, path: null }));
  // Another node may have moved the merchant's clock a moment ago.
  const merchant = (await findMerchant(world.db, caller.merchantId)) ?? caller.merchant;
  const transactions = await settleDebitsNow(world, merchant);
  const refunds = await settleRefundsNow(world, merchant);
  const payouts = (await makePayoutsNow(world, merchant)).length;
  return { transactions, refunds, payouts };
}
