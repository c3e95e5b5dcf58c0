import type { Id } from "../../../kernel/ids.ts";
import type { Context } from "../../../platform/context.ts";
import { findMerchant, MERCHANTS, type Merchant } from "../../merchants/index.ts";
import {
  credentialsOf,
  openSeal,
  type Seal,
  signingKeysOf,
  type Webhook,
  webhooksOf,
} from "../../webhooks/index.ts";

/** What is needed to deliver to a merchant. */
export type MerchantFacts = {
  readonly merchant: Merchant;
  readonly webhooks: Map<string, Webhook>;
  readonly seal: Seal;
};

export type FactsCache = {
  /** Reads anew what may have changed. Subscriptions, keys and credentials are never older than the last fetch. */
  readonly refresh: (merchantIds: readonly Id<"merchant">[]) => Promise<void>;
  readonly find: (merchantId: string) => MerchantFacts | undefined;
  readonly forget: (merchantId: string) => void;
};

export function createFactsCache(ctx: Context): FactsCache {
  const facts = new Map<string, MerchantFacts>();
  const merchants = new Map<string, Merchant>();
  const seals = new Map<string, { readonly written: string; readonly seal: Seal }>();
  ctx.cacheInvalidation.onChange(MERCHANTS, () => merchants.clear());

  async function merchantOf(id: Id<"merchant">): Promise<Merchant | undefined> {
    const known = merchants.get(id) ?? (await findMerchant(ctx.db, id));
    if (known !== undefined) merchants.set(id, known);
    return known;
  }

  return {
    refresh: async (ids) => {
      if (ids.length === 0) return;
      const [webhooks, keys, credentials] = await Promise.all([
        webhooksOf(ctx.db, ids),
        signingKeysOf(ctx.db, ids),
        credentialsOf(ctx.db, ids),
      ]);
      const keyOf = new Map(keys.map((key) => [key.merchantId, key]));
      const credentialsFor = new Map(credentials.map((one) => [one.merchantId, one]));
      const webhooksFor = Map.groupBy(webhooks, ({ merchantId }) => merchantId);
      const refreshOne = async (id: Id<"merchant">) => {
        try {
          const merchant = await merchantOf(id);
          const key = keyOf.get(id);
          if (merchant === undefined || key === undefined) throw new Error("there is no key to sign with");
          const own = credentialsFor.get(id);
          const written = JSON.stringify([key, own]);
          const kept = seals.get(id);
          const seal = kept?.written === written ? kept.seal : await openSeal(ctx, ctx.db, key, own);
          seals.set(id, { written, seal });
          const mine = webhooksFor.get(id) ?? [];
          facts.set(id, { merchant, seal, webhooks: new Map(mine.map((webhook) => [webhook.id, webhook])) });
        } catch (error) {
          // One merchant's trouble is not the others'. Its deliveries wait.
          facts.delete(id);
          ctx.log.error({ merchantId: id, error }, "nothing can be delivered to this merchant");
        }
      };
      await Promise.all(ids.map(refreshOne));
    },
    find: (id) => facts.get(id),
    forget: (id) => {
      facts.delete(id);
      seals.delete(id);
      merchants.delete(id);
    },
  };
}
