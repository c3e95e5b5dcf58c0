import { chooseAccount } from "./account.ts";
import { type BinaryPlaces, readyBinaries } from "./binaries.ts";
import { clusterPaths, readyCluster, readyDataDir } from "./cluster.ts";
import { holdServer } from "./hold.ts";
import { asTrouble } from "./trouble.ts";
import { visitServer } from "./visit.ts";

export type EmbeddedPostgres = { readonly url: string; readonly stop: () => Promise<void> };

export type OpenOptions = {
  /** The cluster lives in `<dataDir>/postgres`. */
  readonly dataDir: string;
  /** True for the gateway, which has the folder for itself; false for a command beside it. */
  readonly holdFolder: boolean;
  /** Told what is worth a log line: a server taken over, or started again. */
  readonly notice: (line: string) => void;
};

export async function openWithBinaries(
  places: BinaryPlaces,
  options: OpenOptions,
): Promise<EmbeddedPostgres> {
  try {
    const dataDir = await readyDataDir(options.dataDir);
    const account = await chooseAccount(clusterPaths(dataDir).data);
    const binaries = await readyBinaries(account, dataDir, places);
    const cluster = await readyCluster(dataDir, binaries, account);
    const use = options.holdFolder ? holdServer : visitServer;
    return await use({ cluster, binaries }, options.notice);
  } catch (error) {
    throw asTrouble(error);
  }
}
