import {
  createKey,
  createMerchant,
  findMerchant,
  type Merchant,
  revokeKey,
} from "../../src/features/merchants/index.ts";
import { type Instant, instant } from "../../src/kernel/time.ts";
import { readSettings, type Settings } from "../../src/platform/config/settings.ts";
import { openDatabase } from "../../src/platform/db/database.ts";
import { createEgress } from "../../src/platform/egress/egress.ts";
import { createFreshness } from "../../src/platform/freshness/freshness.ts";
import { createLog } from "../../src/platform/log/log.ts";
import { createPaymentFigures } from "../../src/platform/metrics/payment-figures.ts";
import { createSealedTexts } from "../../src/platform/vault/sealed-texts.ts";
import { createVault } from "../../src/platform/vault/vault.ts";
import { createVaultKeys } from "../../src/platform/vault/vault-keys.ts";
import type { World } from "../../src/platform/world.ts";
import { TEST_VAULT_KEY } from "./calls.ts";
import type { TestDatabase } from "./database.ts";

type Scope = "read" | "write" | "admin";

/** A world on a test's database, apart from every gateway: what a command of the operator sees. */
export async function inWorld<Result>(
  database: Pick<TestDatabase, "url">,
  work: (world: World) => Promise<Result>,
  {
    settings = readSettings({ TIDEGATE_VAULT_KEY: TEST_VAULT_KEY }),
    now = () => instant(Date.now()),
  }: { settings?: Settings; now?: () => Instant } = {},
): Promise<Result> {
  const db = openDatabase({
    url: database.url,
    poolSize: 4,
    preparedStatements: true,
    onIdleTrouble: () => {},
  });
  const freshness = createFreshness(db, () => {});
  const egress = createEgress();
  const log = createLog("silent");
  const connectors = { sandbox: undefined, live: undefined };
  const vaultKeys = createVaultKeys(settings, now);
  const vault = createVault(vaultKeys, log, now);
  try {
    return await work({
      db,
      settings,
      log,
      freshness,
      connectors,
      wallets: connectors,
      egress,
      vault,
      vaultKeys,
      sealedTexts: createSealedTexts(vaultKeys),
      figures: createPaymentFigures(),
      now,
      wakeJobs: () => {},
    });
  } finally {
    await egress.close();
    await db.close();
  }
}

/** As `merchant create` does. */
export function makeMerchant(
  database: TestDatabase,
  mode: "sandbox" | "live",
  country: "AU" | "NZ",
  now?: () => Instant,
): Promise<{ id: string; key: string }> {
  return inWorld(
    database,
    async (world) => {
      const { merchant, apiKey } = await world.db.transaction((tx) =>
        createMerchant(world, tx, { name: "Another shop", mode, country }),
      );
      return { id: merchant.id, key: apiKey };
    },
    now === undefined ? {} : { now },
  );
}

/** As `key create` does. */
export function makeKey(
  database: TestDatabase,
  merchantId: string,
  scopes: readonly Scope[],
): Promise<{ id: string; key: string }> {
  return inWorld(database, async (world) => {
    const merchant = await findMerchant(world.db, merchantId as Merchant["id"]);
    if (merchant === undefined) throw new Error("no such merchant");
    const { key, secret } = await world.db.transaction((tx) => createKey(world, tx, merchant, scopes));
    return { id: key.id, key: secret };
  });
}

/** As `key revoke` does. */
export async function endKey(database: TestDatabase, keyId: string): Promise<void> {
  await inWorld(database, (world) => revokeKey(world, keyId as Parameters<typeof revokeKey>[1]));
}
