import type { Id } from "../../kernel/ids.ts";
import { nextState } from "../../kernel/lifecycle.ts";
import type { Context } from "../../platform/context.ts";
import { lockMerchant, type Merchant } from "../merchants/index.ts";
import { type AcquirerAccount, lifecycle } from "./acquirer-account.ts";
import { ACQUIRER_ACCOUNTS } from "./acquirers.ts";
import { findAccount, listAccounts, updateAccount } from "./queries.ts";

/** Puts these accounts first, in this order; the others follow in theirs. False: one of them is not the merchant's. */
export async function orderAccounts(
  ctx: Context,
  merchant: Pick<Merchant, "id">,
  first: readonly Id<"acquirerAccount">[],
): Promise<boolean> {
  return change(ctx, async (tx) => {
    await lockMerchant(tx, merchant.id);
    const accounts = await listAccounts(tx, merchant.id);
    if (first.some((id) => accounts.every((account) => account.id !== id))) return false;
    const rankOf = ({ id, place }: AcquirerAccount) =>
      first.includes(id) ? first.indexOf(id) : first.length + place;
    const ordered = [...accounts].sort((one, other) => rankOf(one) - rankOf(other));
    for (const [place, account] of ordered.entries())
      await updateAccount(tx, { ...account, place }, ctx.now());
    return true;
  });
}

/** Takes an account out of routing or back in. Operations on its earlier payments go on. Undefined: no such account. */
export async function setAccountStatus(
  ctx: Context,
  id: Id<"acquirerAccount">,
  trigger: "disable" | "enable",
): Promise<AcquirerAccount | undefined> {
  return change(ctx, async (tx) => {
    const found = await findAccount(tx, id);
    if (found === undefined) return undefined;
    await lockMerchant(tx, found.merchantId);
    const account = (await findAccount(tx, id)) ?? found;
    // Repeating it changes nothing.
    const status = nextState(lifecycle, account.status, trigger) ?? account.status;
    const changed = { ...account, status };
    await updateAccount(tx, changed, ctx.now());
    return changed;
  });
}

/** Nodes read the accounts again. */
async function change<Result>(
  ctx: Context,
  work: Parameters<typeof ctx.db.transaction<Result>>[0],
): Promise<Result> {
  const result = await ctx.db.transaction(async (tx) => {
    const done = await work(tx);
    await ctx.cacheInvalidation.mark(tx, ACQUIRER_ACCOUNTS);
    return done;
  });
  ctx.cacheInvalidation.forget(ACQUIRER_ACCOUNTS);
  return result;
}
