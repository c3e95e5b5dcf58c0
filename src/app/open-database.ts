import type { Settings } from "../platform/config/settings.ts";
import { openEmbeddedPostgres } from "../platform/embedded-postgres/index.ts";

export type DatabasePlace = { readonly url: string; readonly close: () => Promise<void> };

/** Returns the operator's own server if DATABASE_URL is set, otherwise starts the embedded one in the data folder. */
export async function openDatabasePlace(
  settings: Settings,
  options: { readonly holdFolder: boolean; readonly notice: (line: string) => void },
): Promise<DatabasePlace> {
  if (settings.databaseUrl !== undefined) return { url: settings.databaseUrl, close: async () => {} };
  const embedded = await openEmbeddedPostgres({ dataDir: settings.dataDir, ...options });
  return { url: embedded.url, close: embedded.stop };
}
