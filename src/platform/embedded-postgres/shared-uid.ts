import { stat } from "node:fs/promises";
import { findUnprivilegedUser } from "./account.ts";
import { clusterPaths } from "./cluster.ts";

/** Whether PostgreSQL runs, or would run, as `nobody`: other programs of this machine do so too. */
export async function runsUnderSharedUid(dataDir: string): Promise<boolean> {
  if (process.getuid?.() !== 0 || process.platform !== "linux") return false;
  const owner = await stat(clusterPaths(dataDir).data).catch(() => undefined);
  return owner === undefined || owner.uid === 0 || owner.uid === (await findUnprivilegedUser())?.uid;
}
