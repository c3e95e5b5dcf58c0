import { refuse } from "../../kernel/refusal.ts";
import { changeTime } from "../../kernel/time.ts";
import { claimKey } from "../../platform/idempotency/claim-key.ts";
import { clockOf, type World } from "../../platform/world.ts";
import type { RequestCaller } from "./caller.ts";
import { MERCHANTS } from "./create-key.ts";
import { type AccountChange, changedAccount, type Merchant } from "./merchant.ts";
import { lockMerchant, updateMerchant } from "./queries.ts";

/** Changes the caller's account. Only a sandbox merchant may do so by API. */
export async function changeAccount(
  world: World,
  caller: RequestCaller,
  change: AccountChange,
): Promise<Merchant> {
  if (caller.mode === "live") refuse("V11320");
  const merchant = await world.db.transaction(async (tx) => {
    await claimKey(tx, caller, { id: caller.merchantId, path: "/management/account" });
    const before = await lockMerchant(tx, caller.merchantId);
    const updatedAt = changeTime(clockOf(world, before), before.updatedAt);
    const after = { ...changedAccount(before, change), updatedAt };
    await updateMerchant(tx, after);
    await world.freshness.mark(tx, MERCHANTS);
    return after;
  });
  world.freshness.forget(MERCHANTS);
  return merchant;
}
