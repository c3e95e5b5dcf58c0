import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { type Cluster, dataFolderArgument } from "./cluster.ts";
import { EmbeddedPostgresError, useYourOwn } from "./errors.ts";
import { findPostmaster, isPostmasterOf } from "./find-postmaster.ts";
import { type Place, placeSettings } from "./place.ts";
import { programEnvironment } from "./run-program.ts";
import { openServerLog, readServerLog } from "./server-log.ts";
import { serverSettings } from "./server-settings.ts";

/** What the log shows of a start that failed although another attempt can succeed. Any other failure throws. */
const problems = [
  // A killed server left it, and its pid belongs to another process now.
  { name: "its socket is locked", pattern: /lock file ".*\.s\.PGSQL\.\d+\.lock" (already exists|is empty)/ },
  // Another process started a server first, or the file is stale.
  { name: "postmaster.pid exists", pattern: /lock file "postmaster\.pid" (already exists|is empty)/ },
  // The processes of a killed server take a moment to notice its end.
  { name: "processes of an earlier server still run", pattern: /pre-existing shared memory block/ },
] as const;
type StartProblem = (typeof problems)[number]["name"];

/**
 * Starts the server and waits until it accepts connections, ends, or `patienceMs` have passed (it recovers from a crash).
 * It gets a session of its own and no pipe to us: neither Ctrl-C in our terminal nor our death reaches it.
 */
export async function startPostmaster(
  cluster: Cluster,
  place: Place,
  patienceMs: number,
): Promise<{ readonly pid: number; readonly problem?: StartProblem }> {
  const { account, data } = cluster;
  const log = await openServerLog(cluster.log);
  const logStart = (await log.stat()).size;
  const where = [...placeSettings(place, data)].flatMap((setting) => ["-c", setting]);
  const args = [
    "-D",
    dataFolderArgument(account, data),
    "-p",
    String(place.port),
    ...where,
    ...serverSettings(cluster.serverSettings),
  ];
  const child = spawn(cluster.postgres, args, {
    cwd: data,
    detached: true,
    env: programEnvironment,
    stdio: ["ignore", log.fd, log.fd],
    ...account,
  });
  let hasEnded = false;
  child.once("exit", () => {
    hasEnded = true;
  });
  child.unref();
  const { pid } = child;
  const failure = pid === undefined ? once(child, "error") : undefined;
  await log.close();
  if (pid === undefined) throw cannotStart(String((await failure)?.[0]), cluster);

  for (const deadline = Date.now() + patienceMs; Date.now() < deadline; await pause(10)) {
    if (hasEnded)
      return { pid, problem: readProblem(cluster, await readServerLog(cluster.log, logStart, pid)) };
    const found = await findPostmaster(data);
    if (found?.pid === pid && found.status === "ready") break;
  }
  return { pid };
}

function readProblem(cluster: Cluster, lines: readonly string[]): StartProblem {
  const known = problems.find(({ pattern }) => lines.some((line) => pattern.test(line)));
  if (known !== undefined) return known.name;
  const fatal = lines.findLast((line) => /(FATAL|PANIC):/.test(line)) ?? lines.at(-1);
  throw cannotStart(fatal?.replace(/^.*(FATAL|PANIC):\s+/, "") ?? "it ended and logged nothing", cluster);
}

function cannotStart(reason: string, { log }: Cluster): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `the embedded PostgreSQL does not start (${reason}): see ${log}, or ${useYourOwn}`,
  );
}

/**
 * Ends the server: connections are cut, what was committed stays. Where the fast shutdown takes too long, the immediate
 * one skips the last checkpoint and the next start recovers. False when the server outlives even that.
 */
export async function endPostmaster(pid: number, data: string): Promise<boolean> {
  for (const [signal, patienceMs] of [
    ["SIGINT", 20_000],
    ["SIGQUIT", 5_000],
  ] as const) {
    // Only ever to a process that is this folder's postmaster at this moment.
    if (!(await isPostmasterOf(pid, data))) return true;
    try {
      process.kill(pid, signal);
    } catch {
      // It ended since the line above.
    }
    for (const deadline = Date.now() + patienceMs; Date.now() < deadline; await pause(10)) {
      if (!(await isPostmasterOf(pid, data))) return true;
    }
  }
  return false;
}
