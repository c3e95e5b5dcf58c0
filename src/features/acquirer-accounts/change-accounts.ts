import type { Id } from "../../kernel/ids.ts";
import { nextState } from "../../kernel/lifecycle.ts";
import { record } from "../../platform/audit/queries.ts";
import type { Context } from "../../platform/context.ts";
import { lockMerchant, type Merchant } from "../merchants/index.ts";
import { type AcquirerAccount, hasRoom, lifecycle, NO_ROOM } from "./acquirer-account.ts";
import { ACQUIRER_ACCOUNTS } from "./acquirers.ts";
import { findAccount, listAccounts, updateAccount, updateSettings } from "./queries.ts";
import { settingsProblems, settingsPurpose } from "./settings.ts";

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

/** The account, what stands in the way of the change, or undefined: there is no such account. */
type Changed = AcquirerAccount | { readonly problems: readonly string[] } | undefined;

/** Takes an account out of routing or back in. Operations on its earlier payments go on. */
export async function setAccountStatus(
  ctx: Context,
  id: Id<"acquirerAccount">,
  trigger: "disable" | "enable",
): Promise<Changed> {
  return change(ctx, async (tx) => {
    const found = await findAccount(tx, id);
    if (found === undefined) return undefined;
    await lockMerchant(tx, found.merchantId);
    const accounts = await listAccounts(tx, found.merchantId);
    const account = accounts.find((one) => one.id === id) ?? found;
    // Repeating it changes nothing.
    const status = nextState(lifecycle, account.status, trigger) ?? account.status;
    if (status === "active" && account.status !== "active" && !hasRoom(accounts))
      return { problems: [NO_ROOM] };
    const changed = { ...account, status };
    await updateAccount(tx, changed, ctx.now());
    return changed;
  });
}

/**
 * Replaces an account's settings, of a disabled one, too: operations on its earlier payments use them. The connector stays.
 * Nodes open the account again, and close the old connection when its calls have ended.
 */
export async function changeSettings(
  ctx: Context,
  id: Id<"acquirerAccount">,
  settings: unknown,
): Promise<Changed> {
  const account = await findAccount(ctx.db, id);
  if (account === undefined) return undefined;
  const { merchantId, connector } = account;
  const problems = await settingsProblems(ctx, connector, settings);
  if (problems.length > 0) return { problems };
  return change(ctx, async (tx) => {
    await lockMerchant(tx, merchantId);
    const sealedSettings = await ctx.sealedTexts.seal(tx, settingsPurpose(id), JSON.stringify(settings));
    await updateSettings(tx, { ...account, sealedSettings }, ctx.now());
    await record(tx, { act: "acquirer_settings_changed", merchantId, subjectId: id }, ctx.now());
    return account;
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
