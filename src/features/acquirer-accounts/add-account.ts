import type { CardType } from "../../kernel/card-type.ts";
import { newId } from "../../kernel/ids.ts";
import type { Currency } from "../../kernel/money.ts";
import type { Context } from "../../platform/context.ts";
import { lockMerchant, type Merchant } from "../merchants/index.ts";
import { type AcquirerAccount, hasRoom, NO_ROOM } from "./acquirer-account.ts";
import { ACQUIRER_ACCOUNTS } from "./acquirers.ts";
import { insertAccount, listAccounts } from "./queries.ts";
import { settingsProblems, settingsPurpose } from "./settings.ts";

export type NewAccount = {
  readonly connector: string;
  readonly settings: unknown;
  readonly currencies: readonly Currency[];
  readonly cardTypes: readonly CardType[];
};

/** Adds an account behind the merchant's others, or returns what is wrong with it. */
export async function addAccount(
  ctx: Context,
  merchant: Pick<Merchant, "id">,
  input: NewAccount,
): Promise<AcquirerAccount | { readonly problems: readonly string[] }> {
  const problems = await settingsProblems(ctx, input.connector, input.settings);
  if (problems.length > 0) return { problems };
  const now = ctx.now();
  const id = newId("acquirerAccount", now);
  const added = await ctx.db.transaction(async (tx) => {
    await lockMerchant(tx, merchant.id);
    const others = await listAccounts(tx, merchant.id);
    if (!hasRoom(others)) return { problems: [NO_ROOM] };
    const account: AcquirerAccount = {
      id,
      merchantId: merchant.id,
      connector: input.connector,
      currencies: input.currencies,
      cardTypes: input.cardTypes,
      status: "active",
      sealedSettings: await ctx.sealedTexts.seal(tx, settingsPurpose(id), JSON.stringify(input.settings)),
      place: others.length,
      createdAt: now,
      updatedAt: now,
    };
    await insertAccount(tx, account);
    await ctx.cacheInvalidation.mark(tx, ACQUIRER_ACCOUNTS);
    return account;
  });
  ctx.cacheInvalidation.forget(ACQUIRER_ACCOUNTS);
  return added;
}
