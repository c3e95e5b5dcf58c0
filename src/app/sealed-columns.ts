import { SEALED_SANDBOX_KEYS } from "../connectors/sandbox/wallets/sandbox-keys.ts";
import { SEALED_SECOND_FACTORS } from "../dashboard/index.ts";
import { SEALED_ACQUIRER_SETTINGS } from "../features/acquirer-accounts/index.ts";
import { SEALED_PASSWORDS, SEALED_SIGNING_KEYS } from "../features/webhooks/index.ts";
import { SEALED_SEALING_KEYS } from "../platform/sealing/seal.ts";
import type { SealedColumn } from "../platform/vault/rotation/sealed-column.ts";

/** Every column that is sealed with the text key: a key rotation seals all of them again. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  ...SEALED_SIGNING_KEYS,
  SEALED_PASSWORDS,
  SEALED_SECOND_FACTORS,
  SEALED_SEALING_KEYS,
  SEALED_SANDBOX_KEYS,
  SEALED_ACQUIRER_SETTINGS,
];
