import { type Id, newId } from "../../../kernel/ids.ts";
import type { Instant } from "../../../kernel/time.ts";
import { record } from "../../../platform/audit/queries.ts";
import type { Context } from "../../../platform/context.ts";
import { hashSecret, randomText } from "../../../platform/crypto/secrets.ts";
import type { Tx } from "../../../platform/db/database.ts";
import type { Merchant } from "../merchant.ts";
import { ALL_SCOPES, type ApiKey, type KeyLimits, type KeyScope, NO_LIMITS } from "./api-key.ts";
import { insertKey } from "./queries.ts";

/** The subject of cache invalidation: nodes drop cached merchants and keys when it is marked. */
export const MERCHANTS = "merchants";

/** Creates a key. Only this call returns the secret; the gateway stores its hash. */
export async function createKey(
  ctx: Context,
  tx: Tx,
  merchant: Pick<Merchant, "id" | "mode">,
  grant: { readonly scopes: readonly KeyScope[] } & Partial<KeyLimits>,
): Promise<{ readonly key: ApiKey; readonly secret: string }> {
  const secret = `tg_${merchant.mode}_${randomText(32)}`;
  const key = { ...newKey(merchant.id, secret, grant.scopes, ctx.now()), ...grant };
  await insertKey(tx, key, hashSecret(secret), false);
  await recordKey(ctx, tx, key);
  await ctx.cacheInvalidation.mark(tx, MERCHANTS);
  return { key, secret };
}

/** Stores the key that the operator set in the environment. It has every scope. */
export async function storeEnvironmentKey(
  ctx: Context,
  tx: Tx,
  merchant: Pick<Merchant, "id">,
  secret: string,
): Promise<void> {
  const key = newKey(merchant.id, secret, ALL_SCOPES, ctx.now());
  await insertKey(tx, key, hashSecret(secret), true);
  await recordKey(ctx, tx, key);
  await ctx.cacheInvalidation.mark(tx, MERCHANTS);
}

async function recordKey(ctx: Context, tx: Tx, { id, merchantId, scopes }: ApiKey): Promise<void> {
  await record(tx, { act: "api_key_made", merchantId, subjectId: id, detail: scopes.join(",") }, ctx.now());
}

function newKey(
  merchantId: Id<"merchant">,
  secret: string,
  scopes: readonly KeyScope[],
  now: Instant,
): ApiKey {
  const hint = secret.slice(-4);
  const state = { createdAt: now, revokedAt: null, lastUsedAt: null };
  return { id: newId("apiKey", now), merchantId, hint, scopes, ...state, ...NO_LIMITS };
}
