import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import type { Binaries } from "./binaries.ts";
import { type Cluster, dataFolderArgument } from "./cluster.ts";
import { findPostmaster, type Postmaster } from "./find-postmaster.ts";
import { programEnvironment, spawnIdentity } from "./run-program.ts";
import { openServerLog, readServerLog } from "./server-log.ts";
import { serverSettings } from "./server-settings.ts";
import { EmbeddedPostgresTrouble, useYourOwn } from "./trouble.ts";

export type StartOutcome =
  | { readonly kind: "starting"; readonly pid: number }
  | { readonly kind: "ready"; readonly postmaster: Postmaster }
  /** Another program listens on the port. */
  | { readonly kind: "port taken" }
  /** postmaster.pid names a process: another starter was faster, or the file is stale. */
  | { readonly kind: "locked" }
  /** Processes of a killed server have not noticed its end yet. */
  | { readonly kind: "remains" };

/**
 * Starts the server and waits until it accepts connections, dies, or `patienceMs` are over (it recovers from a crash).
 * It gets a session of its own and no pipe to us: neither Ctrl-C in our terminal nor our death reaches it.
 */
export async function startPostmaster(
  cluster: Cluster,
  binaries: Binaries,
  port: number,
  patienceMs: number,
): Promise<StartOutcome> {
  const log = await openServerLog(cluster.log);
  const logStart = (await log.stat()).size;
  const child = spawn(
    binaries.postgres,
    ["-D", dataFolderArgument(cluster.account, cluster.data), "-p", String(port), ...serverSettings],
    {
      cwd: cluster.data,
      detached: true,
      env: programEnvironment,
      stdio: ["ignore", log.fd, log.fd],
      ...spawnIdentity(cluster.account),
    },
  );
  const { pid } = child;
  let ended = false;
  child.once("exit", () => {
    ended = true;
  });
  child.unref();
  const failure = pid === undefined ? once(child, "error") : undefined;
  await log.close();
  if (pid === undefined) throw cannotStart(String((await failure)?.[0]), cluster);

  for (const deadline = Date.now() + patienceMs; Date.now() < deadline; await pause(10)) {
    if (ended) return readFailure(cluster, await readServerLog(cluster.log, logStart, pid));
    const postmaster = await findPostmaster(cluster.data);
    if (postmaster?.pid === pid && postmaster.status === "ready") return { kind: "ready", postmaster };
  }
  return { kind: "starting", pid };
}

function readFailure(cluster: Cluster, lines: readonly string[]): StartOutcome {
  const all = lines.join("\n");
  if (/could not bind .*Address already in use/.test(all)) return { kind: "port taken" };
  if (/lock file "postmaster\.pid" (already exists|is empty)/.test(all)) return { kind: "locked" };
  if (/pre-existing shared memory block/.test(all)) return { kind: "remains" };
  const fatal = lines.findLast((line) => /(FATAL|PANIC):/.test(line)) ?? lines.at(-1);
  throw cannotStart(fatal?.replace(/^.*(FATAL|PANIC):\s+/, "") ?? "it ended without a word", cluster);
}

function cannotStart(reason: string, cluster: Cluster): EmbeddedPostgresTrouble {
  return new EmbeddedPostgresTrouble(
    `the embedded PostgreSQL does not start (${reason}): see ${cluster.log}, or ${useYourOwn}`,
  );
}
