import { execFile } from "node:child_process";
import { link, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Place, readPlace, socketLock } from "./place.ts";

/** `status` is PostgreSQL's own word (starting, ready, stopping); `place` is known once it is ready. */
export type Postmaster = { readonly pid: number; readonly place: Place; readonly status: string };

const pidFile = (data: string) => join(data, "postmaster.pid");

/**
 * The server that runs on this folder now, if there is one. The pid in postmaster.pid alone proves nothing: after a
 * crash it names a dead process or, once reused, an unrelated one.
 */
export async function findPostmaster(data: string): Promise<Postmaster | undefined> {
  const lines = (await readFile(pidFile(data), "utf8").catch(() => "")).split("\n");
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 1 || !(await isPostmasterOf(pid, data))) return undefined;
  return { pid, place: readPlace(lines, data), status: lines[7]?.trim() ?? "" };
}

/** A postmaster's working folder is its data folder: that and its name set it apart from a process with a reused pid. */
export async function isPostmasterOf(pid: number, data: string): Promise<boolean> {
  try {
    const { name, folder } = await describeProcess(pid);
    const [actual, expected] = await Promise.all([stat(folder), stat(data)]);
    return name === "postgres" && actual.ino === expected.ino && actual.dev === expected.dev;
  } catch {
    return false; // no such process, or one of another user
  }
}

async function describeProcess(pid: number): Promise<{ readonly name: string; readonly folder: string }> {
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

/**
 * PostgreSQL ignores a lock file whose process is dead. It refuses one whose pid now belongs to another process of the
 * same user, and an empty one left by a power cut: this removes those. Were it wrong, PostgreSQL's check of the shared
 * memory that belongs to the folder would still refuse a second server.
 */
export async function removeStalePidFile(data: string): Promise<void> {
  const file = pidFile(data);
  const before = await readFile(file, "utf8").catch(() => undefined);
  const writtenAt = (await stat(file).catch(() => undefined))?.mtimeMs ?? 0;
  if (before === undefined || (await findPostmaster(data)) !== undefined) return;
  if (before.trim() === "" && Date.now() - writtenAt < 2_000) return; // a server may be writing it now
  const aside = `${file}.stale-${process.pid}`;
  await rename(file, aside).catch(() => {});
  const moved = await readFile(aside, "utf8").catch(() => before);
  // Another process removed it first and started a server: this is that server's file, so it goes back.
  if (moved !== before) await link(aside, file).catch(() => {});
  await rm(aside, { force: true });
}

/** The same for the lock file beside the socket. A server makes it after postmaster.pid, so without one it is stale. */
export async function removeStaleSocketLock(data: string, place: Place): Promise<void> {
  const lock = socketLock(place);
  if (lock !== undefined && (await findPostmaster(data)) === undefined) await rm(lock, { force: true });
}
