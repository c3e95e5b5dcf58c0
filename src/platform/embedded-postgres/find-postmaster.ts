import { execFile } from "node:child_process";
import { link, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

/** `status` is PostgreSQL's own word (starting, ready, stopping); `port` is known once it is ready. */
export type Postmaster = { readonly pid: number; readonly port: number; readonly status: string };

const pidFile = (data: string) => join(data, "postmaster.pid");

/**
 * The server that runs on this folder now, if there is one. The pid in postmaster.pid alone proves nothing: after a
 * crash it names a dead process or, once reused, an unrelated one.
 */
export async function findPostmaster(data: string): Promise<Postmaster | undefined> {
  const lines = (await readFile(pidFile(data), "utf8").catch(() => "")).split("\n");
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 1 || !(await isPostmasterOf(pid, data))) return undefined;
  return { pid, port: Number(lines[3]), status: lines[7]?.trim() ?? "" };
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

/** The port of the last server on this folder. Keeping it keeps every URL handed out valid. */
export async function lastPort(data: string): Promise<number | undefined> {
  const options = await readFile(join(data, "postmaster.opts"), "utf8").catch(() => "");
  const port = Number(/"-p" "(\d+)"/.exec(options)?.[1]);
  return port > 1023 && port < 65536 ? port : undefined;
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
