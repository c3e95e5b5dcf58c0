export { accountChangeProblems } from "./account-rules.ts";
export { type Caller, merchantRoute, type RequestCaller } from "./caller.ts";
export { changeAccountAsOperator } from "./change-account.ts";
export { changeFees } from "./change-fees.ts";
export { changeTheme } from "./change-theme.ts";
export { createMerchant } from "./create-merchant.ts";
export { farthestReach, reachFor } from "./egress-reach.ts";
export { type ApiKey, isActive, isExpired, type KeyLimits } from "./keys/api-key.ts";
export { createAuthenticator } from "./keys/authenticate.ts";
export { createKey, MERCHANTS } from "./keys/create-key.ts";
export { keyLimitsOf } from "./keys/key-limits.ts";
export { listKeys } from "./keys/queries.ts";
export { revokeKey } from "./keys/revoke-key.ts";
export {
  type Capability,
  type CardTestingKind,
  type CardTestingLimits,
  currencyOf,
  type DefaultTheme,
  limitsOf,
  type Merchant,
  rateOn,
  takesMethod,
  zoneOf,
} from "./merchant.ts";
export { merchantJob } from "./merchant-job.ts";
export { ok } from "./present.ts";
export {
  findMerchant,
  hasLiveMerchant,
  hasOpenLiveMerchant,
  isLiveMerchant,
  listMerchants,
  lockClock,
  lockMerchant,
  MERCHANT_CLOCK,
  MERCHANT_COLUMNS,
  type MerchantRow,
  merchantOfRow,
  searchMerchants,
  updateMerchant,
} from "./queries.ts";
export { merchantRoutes } from "./routes.ts";
export { seedSandboxMerchant } from "./seed-sandbox-merchant.ts";
export { RESULT_OK } from "./wire.ts";
