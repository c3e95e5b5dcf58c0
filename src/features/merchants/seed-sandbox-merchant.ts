import { SettingProblem } from "../../platform/config/setting.ts";
import { SETTINGS } from "../../platform/config/settings.ts";
import type { Context } from "../../platform/context.ts";
import { hashSecret } from "../../platform/crypto/secrets.ts";
import type { Tx } from "../../platform/db/database.ts";
import { createMerchant } from "./create-merchant.ts";
import { ALL_SCOPES } from "./keys/api-key.ts";
import { createKey, MERCHANTS } from "./keys/create-key.ts";
import { isKeyTaken, revokeEnvironmentKeys, takeOverKey } from "./keys/queries.ts";
import type { Merchant } from "./merchant.ts";
import { findSeedMerchant, lockSeeding } from "./queries.ts";

/**
 * The first start makes a sandbox merchant. Gives its key when it is new, so that it can be shown once. A key from the
 * environment is made valid at every start, and takes the place of the one that an earlier start took from there.
 */
export async function seedSandboxMerchant(ctx: Context): Promise<{ readonly newKey: string | undefined }> {
  const given = ctx.settings.sandboxApiKey;
  return ctx.db.transaction(async (tx) => {
    await lockSeeding(tx);
    const known = await findSeedMerchant(tx);
    if (known !== undefined) {
      if (given !== undefined) await takeEnvironmentKey(ctx, tx, known, given);
      return { newKey: undefined };
    }
    if (given !== undefined) await refuseTakenKey(tx, given);
    const input = { name: "Sandbox merchant", mode: "sandbox", country: "AU" } as const;
    const { apiKey } = await createMerchant(ctx, tx, input, {
      seeding: true,
      ...(given === undefined ? {} : { key: given }),
    });
    return { newKey: apiKey };
  });
}

async function takeEnvironmentKey(ctx: Context, tx: Tx, merchant: Merchant, secret: string): Promise<void> {
  const hash = hashSecret(secret);
  await revokeEnvironmentKeys(tx, merchant.id, hash, ctx.now());
  if (!(await takeOverKey(tx, merchant.id, hash, ALL_SCOPES))) {
    await refuseTakenKey(tx, secret);
    await createKey(ctx, tx, merchant, ALL_SCOPES, secret);
  }
  await ctx.cacheInvalidation.mark(tx, MERCHANTS);
}

async function refuseTakenKey(tx: Tx, secret: string): Promise<void> {
  const { variable, allowed } = SETTINGS.sandboxApiKey;
  if (await isKeyTaken(tx, hashSecret(secret))) {
    throw new SettingProblem(variable, "is the key of another merchant", allowed);
  }
}
