import type { Country } from "../../kernel/country.ts";
import { newId } from "../../kernel/ids.ts";
import type { Mode } from "../../kernel/mode.ts";
import { refuse } from "../../kernel/refusal.ts";
import { record } from "../../platform/audit/queries.ts";
import { holdsCardNumber } from "../../platform/cards/card-number-in-text.ts";
import type { Context } from "../../platform/context.ts";
import type { Tx } from "../../platform/db/database.ts";
import { ALL_SCOPES } from "./keys/api-key.ts";
import { createKey, storeEnvironmentKey } from "./keys/create-key.ts";
import { currencyOf, initialCapabilities, type Merchant } from "./merchant.ts";
import { insertMerchant } from "./queries.ts";

export type NewMerchant = { readonly name: string; readonly mode: Mode; readonly country: Country };

/** Creates a merchant and its first key, which has every scope. */
export async function createMerchant(
  ctx: Context,
  tx: Tx,
  input: NewMerchant,
  options: { readonly isSeed: boolean; readonly environmentKey?: string | undefined } = { isSeed: false },
): Promise<{ readonly merchant: Merchant; readonly apiKey: string }> {
  if (holdsCardNumber(input.name)) refuse("text_card_number_refused", "/name");
  const now = ctx.now();
  const merchant: Merchant = {
    id: newId("merchant", now),
    ...input,
    currency: currencyOf(input.country),
    capabilities: initialCapabilities(input.mode),
    allowedOrigins: [],
    surcharging: { enabled: false, rates: {} },
    threeDSecureAttempted: "proceed",
    threeDSecureUnavailable: "decline",
    cardTesting: {},
    theme: null,
    fees: {},
    clockOffset: 0,
    createdAt: now,
    updatedAt: now,
  };
  await insertMerchant(tx, merchant, options.isSeed);
  const detail = merchant.mode;
  await record(tx, { act: "merchant_made", merchantId: merchant.id, subjectId: merchant.id, detail }, now);
  if (options.environmentKey !== undefined) {
    await storeEnvironmentKey(ctx, tx, merchant, options.environmentKey);
    return { merchant, apiKey: options.environmentKey };
  }
  const { secret } = await createKey(ctx, tx, merchant, { scopes: ALL_SCOPES });
  return { merchant, apiKey: secret };
}
