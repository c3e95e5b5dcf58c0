import { SettingProblem } from "../../platform/config/setting.ts";
import { SETTINGS } from "../../platform/config/settings.ts";
import { hashSecret } from "../../platform/crypto/secrets.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { World } from "../../platform/world.ts";
import { createMerchant } from "./create-merchant.ts";
import { ALL_SCOPES } from "./keys/api-key.ts";
import { createKey, MERCHANTS } from "./keys/create-key.ts";
import { isKeyTaken, revokeEnvironmentKeys, takeOverKey } from "./keys/queries.ts";
import type { Merchant } from "./merchant.ts";
import { findFoundingMerchant, lockFounding } from "./queries.ts";

/**
 * The first start makes a sandbox merchant. Gives its key when it is new, so that it can be shown once. A key from the
 * environment is made valid at every start, and takes the place of the one that an earlier start took from there.
 */
export async function foundSandboxMerchant(world: World): Promise<{ readonly newKey: string | undefined }> {
  const given = world.settings.sandboxApiKey;
  return world.db.transaction(async (tx) => {
    await lockFounding(tx);
    const known = await findFoundingMerchant(tx);
    if (known !== undefined) {
      if (given !== undefined) await takeEnvironmentKey(world, tx, known, given);
      return { newKey: undefined };
    }
    if (given !== undefined) await refuseTakenKey(tx, given);
    const ask = { name: "Sandbox merchant", mode: "sandbox", country: "AU" } as const;
    const { apiKey } = await createMerchant(world, tx, ask, {
      founding: true,
      ...(given === undefined ? {} : { key: given }),
    });
    return { newKey: apiKey };
  });
}

async function takeEnvironmentKey(world: World, tx: Tx, merchant: Merchant, secret: string): Promise<void> {
  const hash = hashSecret(secret);
  await revokeEnvironmentKeys(tx, merchant.id, hash, world.now());
  if (!(await takeOverKey(tx, merchant.id, hash, ALL_SCOPES))) {
    await refuseTakenKey(tx, secret);
    await createKey(world, tx, merchant, ALL_SCOPES, secret);
  }
  await world.freshness.mark(tx, MERCHANTS);
}

async function refuseTakenKey(tx: Tx, secret: string): Promise<void> {
  const { variable, allowed } = SETTINGS.sandboxApiKey;
  if (await isKeyTaken(tx, hashSecret(secret))) {
    throw new SettingProblem(variable, "is the key of another merchant", allowed);
  }
}
