import type { Mode } from "../../kernel/mode.ts";
import { toIso } from "../../kernel/time.ts";
import type { Static } from "../../platform/http/schema.ts";
import { limitsOf, type Merchant } from "./merchant.ts";
import type { AccountAnswer } from "./wire.ts";

/** The `result` of a successful answer. */
export function ok(mode: Mode): { mode: Mode; status: "ok" } {
  return { mode, status: "ok" };
}

export function presentAccount(merchant: Merchant): Static<typeof AccountAnswer> {
  return {
    id: merchant.id,
    name: merchant.name,
    country: merchant.country,
    currencyCode: merchant.currency,
    capabilities: merchant.capabilities,
    allowedOrigins: [...merchant.allowedOrigins],
    surcharging: merchant.surcharging,
    threeDSecureAttempted: merchant.threeDSecureAttempted,
    threeDSecureUnavailable: merchant.threeDSecureUnavailable,
    cardTesting: limitsOf(merchant),
    createdDateTime: toIso(merchant.createdAt),
    updatedDateTime: toIso(merchant.updatedAt),
    result: ok(merchant.mode),
  };
}
