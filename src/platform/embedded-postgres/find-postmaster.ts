import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { link, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

export type Postmaster = {
  readonly pid: number;
  /** Undefined for the moment between taking the folder and opening the port. */
  readonly port: number | undefined;
  readonly status: string;
};

const pidFile = (data: string) => join(data, "postmaster.pid");

/**
 * The server that runs on this folder now, if there is one. A pid in postmaster.pid proves nothing by itself: after a
 * crash it names a dead process or, once reused, somebody else's.
 */
export async function findPostmaster(data: string): Promise<Postmaster | undefined> {
  const text = await readFile(pidFile(data), "utf8").catch(() => "");
  const lines = text.split("\n");
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 1 || !(await isPostmasterOf(pid, data))) return undefined;
  const port = Number(lines[3]);
  return { pid, port: Number.isInteger(port) && port > 0 ? port : undefined, status: lines[7]?.trim() ?? "" };
}

/** A postmaster works inside its data folder: that, and its name, tell it from a stranger with a reused pid. */
export async function isPostmasterOf(pid: number, data: string): Promise<boolean> {
  try {
    const seen = await lookAtProcess(pid);
    const [there, ours] = await Promise.all([stat(seen.folder), stat(data)]);
    return seen.name === "postgres" && there.ino === ours.ino && there.dev === ours.dev;
  } catch {
    return false; // no such process, or one that is not ours to look at
  }
}

/** The check made twice a second, so without starting a program: a pid known to be ours, is it still? */
export async function stillRuns(pid: number, data: string): Promise<boolean> {
  if (process.platform === "linux") return isPostmasterOf(pid, data);
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function lookAtProcess(pid: number): Promise<{ readonly name: string; readonly folder: string }> {
  if (process.platform === "linux") {
    return { name: (await readFile(`/proc/${pid}/comm`, "utf8")).trim(), folder: `/proc/${pid}/cwd` };
  }
  const run = promisify(execFile);
  const [name, folder] = await Promise.all([
    run("/bin/ps", ["-o", "comm=", "-p", String(pid)]),
    run("/usr/sbin/lsof", ["-a", "-p", String(pid), "-d", "cwd", "-Fn"]),
  ]);
  return {
    name: name.stdout.trim().split("/").at(-1) ?? "",
    folder: /^n(.+)$/m.exec(folder.stdout)?.[1] ?? "",
  };
}

/** The port of the last server on this folder. Keeping it keeps every url that was handed out. */
export async function lastPort(data: string): Promise<number | undefined> {
  const options = await readFile(join(data, "postmaster.opts"), "utf8").catch(() => "");
  const port = Number(/"-p" "(\d+)"/.exec(options)?.[1]);
  return port > 1023 && port < 65536 ? port : undefined;
}

/**
 * PostgreSQL itself ignores a lock file whose process is dead. It refuses one whose pid now belongs to another process
 * of the same user, and an empty one left by a power cut: those are moved away here. Should it be wrong after all,
 * PostgreSQL's check of the shared memory that belongs to the folder still refuses a second server.
 */
export async function setStaleLockAside(data: string): Promise<void> {
  const before = await readFile(pidFile(data), "utf8").catch(() => undefined);
  if (before === undefined || (await findPostmaster(data)) !== undefined) return;
  if (before.trim() === "" && (await ageMs(pidFile(data))) < 2_000) return; // perhaps being written this moment
  const aside = `${pidFile(data)}.stale-${randomBytes(6).toString("hex")}`;
  await rename(pidFile(data), aside).catch(() => {});
  const moved = await readFile(aside, "utf8").catch(() => before);
  // Somebody cleared and started in between: this is the new server's file, so it goes back.
  if (moved !== before) await link(aside, pidFile(data)).catch(() => {});
  await rm(aside, { force: true });
}

async function ageMs(path: string): Promise<number> {
  const seen = await stat(path).catch(() => undefined);
  return seen === undefined ? 0 : Date.now() - seen.mtimeMs;
}
