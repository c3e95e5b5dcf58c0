import type { Id } from "../../../kernel/ids.ts";
import type { Context } from "../../../platform/context.ts";
import { ofMerchants } from "../../../platform/db/by-merchant.ts";
import type { Tx } from "../../../platform/db/database.ts";
import { findMerchant, MERCHANTS, type Merchant } from "../../merchants/index.ts";
import {
  type Credentials,
  credentialsOf,
  openSigningCredentials,
  type SigningCredentials,
  type SigningKey,
  signingKeysOf,
  type Webhook,
  webhooksOf,
} from "../../webhooks/index.ts";

/** What the gateway needs to deliver to a merchant. */
export type MerchantFacts = {
  readonly merchant: Merchant;
  readonly webhooks: Map<string, Webhook>;
  readonly signing: SigningCredentials;
};

export type FactsCache = {
  /** Reads what may have changed. Subscriptions, keys and credentials are never older than the last fetch. */
  readonly refresh: (merchantIds: readonly Id<"merchant">[]) => Promise<void>;
  readonly find: (merchantId: string) => MerchantFacts | undefined;
  readonly forget: (merchantId: string) => void;
};

/** What is stored of these merchants for their deliveries. */
async function readStored(db: Tx, merchantIds: readonly string[]) {
  const [webhooks, keys, credentials] = await Promise.all([
    webhooksOf(db, merchantIds),
    signingKeysOf(db, merchantIds),
    credentialsOf(db, merchantIds),
  ]);
  return { merchantIds, webhooks, keys, credentials };
}

/** With one connection: many merchants are read at a time while a server is away, and other work needs some, too. */
async function readStoredOfOne(db: Tx, merchantId: string): ReturnType<typeof readStored> {
  const merchantIds = [merchantId];
  const webhooks = await webhooksOf(db, merchantIds);
  const keys = await signingKeysOf(db, merchantIds);
  return { merchantIds, webhooks, keys, credentials: await credentialsOf(db, merchantIds) };
}

export function createFactsCache(ctx: Context): FactsCache {
  const facts = new Map<string, MerchantFacts>();
  let merchants = new Map<string, Merchant>();
  const opened = new Map<string, { readonly sealed: string; readonly signing: SigningCredentials }>();
  // What is being read meanwhile may be outdated: it goes into the map of before.
  ctx.cacheInvalidation.onChange(MERCHANTS, () => {
    merchants = new Map();
  });

  async function merchantOf(id: Id<"merchant">): Promise<Merchant | undefined> {
    const cache = merchants;
    const merchant = cache.get(id) ?? (await findMerchant(ctx.db, id));
    if (merchant !== undefined) cache.set(id, merchant);
    return merchant;
  }

  /** Opens the credentials again only if they have changed. */
  async function signingOf(
    id: Id<"merchant">,
    key: SigningKey,
    credentials: Credentials | undefined,
  ): Promise<SigningCredentials> {
    const sealed = JSON.stringify([key, credentials]);
    const known = opened.get(id);
    if (known?.sealed === sealed) return known.signing;
    const signing = await openSigningCredentials(ctx, ctx.db, key, credentials);
    opened.set(id, { sealed, signing });
    return signing;
  }

  return {
    refresh: async (ids) => {
      if (ids.length === 0) return;
      const read = await ofMerchants(
        ctx.db,
        ids,
        async () => [await readStored(ctx.db, ids)],
        async (id) => [await readStoredOfOne(ctx.db, id)],
      );
      const webhooks = read.flatMap((part) => part.webhooks);
      const keys = read.flatMap((part) => part.keys);
      const credentials = read.flatMap((part) => part.credentials);
      const known = new Set(read.flatMap((part) => part.merchantIds));
      const keyBy = new Map(keys.map((key) => [key.merchantId, key]));
      const credentialsBy = new Map(credentials.map((one) => [one.merchantId, one]));
      const webhooksBy = Map.groupBy(webhooks, ({ merchantId }) => merchantId);
      const refreshOne = async (id: Id<"merchant">) => {
        // Its server is away.
        if (!known.has(id)) return void facts.delete(id);
        try {
          const merchant = await merchantOf(id);
          const key = keyBy.get(id);
          if (merchant === undefined || key === undefined) throw new Error("the merchant has no signing key");
          const signing = await signingOf(id, key, credentialsBy.get(id));
          const own = (webhooksBy.get(id) ?? []).map((webhook) => [webhook.id, webhook] as const);
          facts.set(id, { merchant, signing, webhooks: new Map(own) });
        } catch (error) {
          // Only this merchant's deliveries wait.
          facts.delete(id);
          ctx.log.error(
            { merchantId: id, error },
            "webhook deliveries of this merchant paused: its signing key or credentials are unreadable",
          );
        }
      };
      await Promise.all(ids.map(refreshOne));
    },
    find: (id) => facts.get(id),
    forget: (id) => {
      facts.delete(id);
      opened.delete(id);
      merchants.delete(id);
    },
  };
}
