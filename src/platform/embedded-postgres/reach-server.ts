import { randomInt } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Binaries } from "./binaries.ts";
import type { Cluster } from "./cluster.ts";
import { findPostmaster, lastPort, type Postmaster, setStaleLockAside } from "./find-postmaster.ts";
import { startPostmaster } from "./start-postmaster.ts";
import { EmbeddedPostgresTrouble, useYourOwn } from "./trouble.ts";

export type Server = { readonly cluster: Cluster; readonly binaries: Binaries };
export type ReadyPostmaster = { readonly pid: number; readonly port: number };

export const recoveryPatienceMs = 60_000;
const remainsPatienceMs = 15_000;

/** Returns a server that accepts connections: the one that runs, once it is ready, or one started now. */
export async function reachServer(
  { cluster, binaries }: Server,
  options: { readonly port?: number; readonly signal?: AbortSignal } = {},
): Promise<{ readonly postmaster: ReadyPostmaster; readonly startedHere: boolean }> {
  const began = Date.now();
  let port = options.port ?? (await lastPort(cluster.data)) ?? somePort();
  for (;;) {
    options.signal?.throwIfAborted();
    const left = began + recoveryPatienceMs - Date.now();
    const running = await findPostmaster(cluster.data);
    if (running !== undefined) {
      if (isReady(running)) return { postmaster: running, startedHere: false };
      if (left <= 0) throw tooSlow(running.status, cluster); // it recovers, or its last holder is stopping it
      await pause(20);
      continue;
    }
    const outcome = await startPostmaster(cluster, binaries, port, left);
    if (outcome.kind === "ready" && isReady(outcome.postmaster)) {
      return { postmaster: outcome.postmaster, startedHere: true };
    }
    if (outcome.kind === "starting") throw tooSlow("starting", cluster);
    if (outcome.kind === "locked") await setStaleLockAside(cluster.data);
    if (outcome.kind === "port taken" && options.port === undefined) port = somePort();
    if (Date.now() - began > remainsPatienceMs) throw stillTaken(outcome.kind, port, cluster);
    await pause(outcome.kind === "port taken" && options.port === undefined ? 0 : 50);
  }
}

function isReady(postmaster: Postmaster): postmaster is Postmaster & ReadyPostmaster {
  return postmaster.status === "ready" && postmaster.port !== undefined;
}

/**
 * Below the ports that systems hand out for outgoing connections: one of those could be taken while the server is
 * down, even by our own pool, which would then connect to itself.
 */
function somePort(): number {
  return randomInt(15_000, 30_000);
}

function tooSlow(status: string, cluster: Cluster): EmbeddedPostgresTrouble {
  const doing = status === "stopping" ? "still stopping" : "not ready";
  return new EmbeddedPostgresTrouble(
    `the embedded PostgreSQL is ${doing} after ${recoveryPatienceMs / 1000} s (recovery from a crash can take longer): try again in a while, see ${cluster.log}, or ${useYourOwn}`,
  );
}

function stillTaken(what: "ready" | "port taken" | "locked" | "remains", port: number, cluster: Cluster) {
  const reason =
    what === "port taken"
      ? `another program listens on port ${port}`
      : "processes of an earlier server still use its folder";
  return new EmbeddedPostgresTrouble(
    `the embedded PostgreSQL does not start (${reason}): end them, see ${cluster.log}, or ${useYourOwn}`,
  );
}
