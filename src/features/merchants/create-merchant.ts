import { newId } from "../../kernel/ids.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { World } from "../../platform/world.ts";
import { ALL_SCOPES } from "./keys/api-key.ts";
import { createKey } from "./keys/create-key.ts";
import { type Country, currencyOf, initialCapabilities, type Merchant, type Mode } from "./merchant.ts";
import { insertMerchant } from "./queries.ts";

export type NewMerchant = { readonly name: string; readonly mode: Mode; readonly country: Country };

/** Makes a merchant and its first key, which has every scope. */
export async function createMerchant(
  world: World,
  tx: Tx,
  ask: NewMerchant,
  options: { readonly founding: boolean; readonly key?: string } = { founding: false },
): Promise<{ readonly merchant: Merchant; readonly apiKey: string }> {
  const now = world.now();
  const merchant: Merchant = {
    id: newId("merchant", now),
    ...ask,
    currency: currencyOf(ask.country),
    capabilities: initialCapabilities(ask.mode),
    allowedOrigins: [],
    surcharging: { enabled: false, rates: {} },
    fees: {},
    clockOffset: 0,
    createdAt: now,
    updatedAt: now,
  };
  await insertMerchant(tx, merchant, options.founding);
  const { secret } = await createKey(world, tx, merchant, ALL_SCOPES, options.key);
  return { merchant, apiKey: secret };
}
