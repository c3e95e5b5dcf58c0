import { newId } from "../../../kernel/ids.ts";
import type { Context } from "../../../platform/context.ts";
import { hashSecret, randomText } from "../../../platform/crypto/secrets.ts";
import type { Tx } from "../../../platform/db/database.ts";
import type { Merchant } from "../merchant.ts";
import type { ApiKey, KeyScope } from "./api-key.ts";
import { insertKey } from "./queries.ts";

/** What nodes remember of merchants and keys is forgotten when this subject is marked. */
export const MERCHANTS = "merchants";

/** Makes a key. The secret is given back this once and kept nowhere. */
export async function createKey(
  ctx: Context,
  tx: Tx,
  merchant: Pick<Merchant, "id" | "mode">,
  scopes: readonly KeyScope[],
  given?: string,
): Promise<{ readonly key: ApiKey; readonly secret: string }> {
  const secret = given ?? `tg_${merchant.mode}_${randomText(32)}`;
  const now = ctx.now();
  const key = {
    id: newId("apiKey", now),
    merchantId: merchant.id,
    hint: secret.slice(-4),
    scopes,
    createdAt: now,
    revokedAt: null,
  };
  await insertKey(tx, key, hashSecret(secret), given !== undefined);
  await ctx.cacheInvalidation.mark(tx, MERCHANTS);
  return { key, secret };
}
