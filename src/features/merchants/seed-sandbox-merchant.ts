import { SettingProblem } from "../../platform/config/setting.ts";
import { SETTINGS } from "../../platform/config/settings.ts";
import type { Context } from "../../platform/context.ts";
import { hashSecret } from "../../platform/crypto/secrets.ts";
import type { Tx } from "../../platform/db/database.ts";
import { createMerchant } from "./create-merchant.ts";
import { ALL_SCOPES } from "./keys/api-key.ts";
import { MERCHANTS, storeEnvironmentKey } from "./keys/create-key.ts";
import { isKeyTaken, markEnvironmentKey, revokeEnvironmentKeys } from "./keys/queries.ts";
import type { Merchant } from "./merchant.ts";
import { findSeedMerchant, lockSeeding } from "./queries.ts";

/**
 * Creates the sandbox merchant at the first start and returns its key, to be shown once. Every start makes the key from
 * the environment valid and revokes the one of an earlier start.
 */
export async function seedSandboxMerchant(ctx: Context): Promise<{ readonly newKey: string | undefined }> {
  const environmentKey = ctx.settings.sandboxApiKey;
  return ctx.db.transaction(async (tx) => {
    await lockSeeding(tx);
    const seeded = await findSeedMerchant(tx);
    if (seeded !== undefined) {
      if (environmentKey !== undefined) await applyEnvironmentKey(ctx, tx, seeded, environmentKey);
      return { newKey: undefined };
    }
    if (environmentKey !== undefined) await refuseTakenKey(tx, environmentKey);
    const input = { name: "Sandbox merchant", mode: "sandbox", country: "AU" } as const;
    const { apiKey } = await createMerchant(ctx, tx, input, { isSeed: true, environmentKey });
    return { newKey: apiKey };
  });
}

async function applyEnvironmentKey(ctx: Context, tx: Tx, merchant: Merchant, secret: string): Promise<void> {
  const hash = hashSecret(secret);
  await revokeEnvironmentKeys(tx, merchant.id, hash, ctx.now());
  if (!(await markEnvironmentKey(tx, merchant.id, hash, ALL_SCOPES))) {
    await refuseTakenKey(tx, secret);
    await storeEnvironmentKey(ctx, tx, merchant, secret);
  }
  await ctx.cacheInvalidation.mark(tx, MERCHANTS);
}

async function refuseTakenKey(tx: Tx, secret: string): Promise<void> {
  const { variable, allowed } = SETTINGS.sandboxApiKey;
  if (await isKeyTaken(tx, hashSecret(secret))) {
    throw new SettingProblem(variable, "is the key of another merchant", allowed);
  }
}
