import type { Settings } from "../platform/config/settings.ts";
import {
  EmbeddedPostgresError,
  hasCluster,
  openEmbeddedPostgres,
} from "../platform/embedded-postgres/index.ts";
import { masterKeySource } from "../platform/vault/master/master-key-source.ts";

export type DatabasePlace = { readonly url: string; readonly close: () => Promise<void> };

/**
 * Returns the operator's own server if DATABASE_URL is set, otherwise starts the embedded one in the data folder. Only a
 * gateway creates it: a command in the wrong folder would leave an empty database there and report what is in it.
 */
export async function openDatabasePlace(
  settings: Settings,
  options: { readonly holdsFolder: boolean; readonly notice: (line: string) => void },
): Promise<DatabasePlace> {
  if (settings.databaseUrl !== undefined) return { url: settings.databaseUrl, close: async () => {} };
  if (!options.holdsFolder && !(await hasCluster(settings.dataDir))) {
    throw new EmbeddedPostgresError(
      `there is no database in ${settings.dataDir}: run this in the folder of the gateway, or set TIDEGATE_DATA_DIR or DATABASE_URL as the gateway has it; \`tidegate start\` creates a new one`,
    );
  }
  if (options.holdsFolder) await readGeneratedKey(settings);
  const embedded = await openEmbeddedPostgres({ dataDir: settings.dataDir, ...options });
  return { url: embedded.url, close: embedded.stop };
}

/** A key that the gateway would refuse is refused before the first start creates a database beside it. */
async function readGeneratedKey(settings: Settings): Promise<void> {
  const master = masterKeySource(settings);
  if (master.isGenerated && (await master.isThere())) await master.read();
}
