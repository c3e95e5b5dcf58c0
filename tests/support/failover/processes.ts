import { type ChildProcess, spawn } from "node:child_process";
import { openSync, readdirSync, readFileSync } from "node:fs";

/** The uid of the account `nobody`: PostgreSQL refuses to run as root. */
export const NOBODY = 65_534;

export const isRoot = process.getuid?.() === 0;
const AS = isRoot ? { uid: NOBODY, gid: NOBODY } : {};

/** Starts a program of the cluster; its output goes to a file. Its own process group: Ctrl-C reaches the test first. */
export function startProgram(
  program: string,
  parameters: readonly string[],
  { log, environment = {} }: { log: string; environment?: Readonly<Record<string, string>> },
): ChildProcess {
  const output = openSync(log, "a");
  const { PATH = "" } = process.env;
  return spawn(program, parameters, {
    ...AS,
    cwd: "/",
    env: { PATH, LC_ALL: "C.UTF-8", ...environment },
    stdio: ["ignore", output, output],
  });
}

/** A process and all that it started, from the process table. */
export function withDescendants(pid: number): readonly number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]));
    } catch {
      // It has ended meanwhile.
    }
  }
  const found = [pid];
  for (const one of found) for (const [child, parent] of parents) if (parent === one) found.push(child);
  return found;
}

/** Sends a signal to processes, some of which may have ended. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  }
}

/** The number of the process that a PostgreSQL's data folder names. */
export function postmasterOf(dataFolder: string): number | undefined {
  try {
    const pid = Number(readFileSync(`${dataFolder}/postmaster.pid`, "utf8").split("\n")[0]);
    return Number.isInteger(pid) && pid > 1 ? pid : undefined;
  } catch {
    return undefined;
  }
}
