import type { Id } from "../../kernel/ids.ts";
import { refuse, refuseAll } from "../../kernel/refusal.ts";
import { changeTime } from "../../kernel/time.ts";
import { record } from "../../platform/audit/queries.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { Static } from "../../platform/http/schema.ts";
import { claimKey } from "../../platform/idempotency/claim-key.ts";
import { accountProblems } from "./account-rules.ts";
import type { RequestCaller } from "./caller.ts";
import { MERCHANTS } from "./keys/create-key.ts";
import { type AccountChange, changedAccount, type Merchant } from "./merchant.ts";
import { presentAccount } from "./present.ts";
import { lockMerchant, updateMerchant } from "./queries.ts";
import type { AccountAnswer } from "./wire.ts";

/** Changes the caller's account. Only a sandbox merchant may use the API for it. */
export async function changeAccount(
  ctx: Context,
  caller: RequestCaller,
  change: AccountChange,
): Promise<Merchant> {
  if (caller.mode === "live") refuse("account_live_change_refused");
  return writeChange(ctx, caller.merchantId, change, (tx) =>
    claimKey(tx, caller, { id: caller.merchantId, path: "/management/account" }),
  );
}

/** Changes any merchant's account for the operator. */
export async function changeAccountAsOperator(
  ctx: Context,
  merchantId: Id<"merchant">,
  change: AccountChange,
): Promise<Static<typeof AccountAnswer>> {
  return presentAccount(await writeChange(ctx, merchantId, change, async () => {}));
}

async function writeChange(
  ctx: Context,
  merchantId: Id<"merchant">,
  change: AccountChange,
  claim: (tx: Tx) => Promise<void>,
): Promise<Merchant> {
  const merchant = await ctx.db.transaction(async (tx) => {
    await claim(tx);
    const before = await lockMerchant(tx, merchantId);
    // The earlier check may have read an older account than this row.
    refuseAll(accountProblems(change, before));
    const updatedAt = changeTime(clockOf(ctx, before), before.updatedAt);
    const after = { ...changedAccount(before, change), updatedAt };
    await updateMerchant(tx, after);
    const detail = Object.keys(change).join(" ");
    await record(tx, { act: "merchant_changed", merchantId, subjectId: merchantId, detail }, ctx.now());
    await ctx.cacheInvalidation.mark(tx, MERCHANTS);
    return after;
  });
  ctx.cacheInvalidation.forget(MERCHANTS);
  await ctx.cacheInvalidation.spread();
  return merchant;
}
