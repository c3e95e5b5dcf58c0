import { instant } from "../kernel/time.ts";
import type { Settings } from "../platform/config/settings.ts";
import { openDatabase } from "../platform/db/database.ts";
import { migrate } from "../platform/db/migrate.ts";
import { createEgress } from "../platform/egress/egress.ts";
import { createFreshness } from "../platform/freshness/freshness.ts";
import { createLog } from "../platform/log/log.ts";
import { createPaymentFigures } from "../platform/metrics/payment-figures.ts";
import { createSealedTexts } from "../platform/vault/sealed-texts.ts";
import { createVault } from "../platform/vault/vault.ts";
import { createVaultKeys } from "../platform/vault/vault-keys.ts";
import type { World } from "../platform/world.ts";
import { createConnectors } from "./connectors.ts";
import { openDatabasePlace } from "./open-database.ts";
import { createWallets } from "./wallets.ts";

/** A world without servers or workers: what a command needs to do its work beside a running gateway. */
export async function openWorld(
  settings: Settings,
): Promise<{ readonly world: World; readonly close: () => Promise<void> }> {
  const log = createLog("warn");
  const place = await openDatabasePlace(settings, { holdFolder: false, notice: () => {} });
  const db = openDatabase({
    url: place.url,
    poolSize: 4,
    preparedStatements: settings.preparedStatements === "on",
    onIdleTrouble: () => {},
  });
  const egress = createEgress();
  const close = async () => {
    await egress.close();
    await db.close();
    await place.close();
  };
  try {
    await migrate(place.url);
  } catch (error) {
    await close();
    throw error;
  }
  const freshness = createFreshness(db, () => {});
  const now = () => instant(Date.now());
  const vaultKeys = createVaultKeys(settings, now);
  const sealedTexts = createSealedTexts(vaultKeys);
  return {
    world: {
      db,
      settings,
      log,
      freshness,
      connectors: createConnectors({ db, settings, now }).connectors,
      wallets: createWallets({ db, sealedTexts, now }),
      egress,
      vault: createVault(vaultKeys, log, now),
      vaultKeys,
      sealedTexts,
      figures: createPaymentFigures(),
      now,
      wakeJobs: () => {},
    },
    close,
  };
}
