import { constants } from "node:fs";
import { copyFile, type FileHandle, open, rename, stat, truncate } from "node:fs/promises";
import { dirname } from "node:path";

const rotateAtStartBytes = 1_000_000;
const trimWhileRunningBytes = 16_000_000;

/** Opened for appending, so that trimming it under a running server is safe; never through a planted link. */
export async function openServerLog(log: string): Promise<FileHandle> {
  const seen = await stat(log).catch(() => undefined);
  if (seen !== undefined && seen.size > rotateAtStartBytes) await rename(log, `${log}.1`).catch(() => {});
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW;
  const handle = await open(log, flags, 0o600);
  if (process.getuid?.() === 0) {
    // Root may start what an ordinary user made and will start again.
    const folder = await stat(dirname(log));
    await handle.chown(folder.uid, folder.gid);
  }
  return handle;
}

/** A server that runs for years must not fill the disk with its log. */
export async function trimServerLog(log: string): Promise<void> {
  const seen = await stat(log).catch(() => undefined);
  if (seen === undefined || seen.size <= trimWhileRunningBytes) return;
  await copyFile(log, `${log}.1`);
  await truncate(log);
}

/** What the server process of this pid wrote since `from`; several may share one log for a moment. */
export async function readServerLog(log: string, from: number, pid: number): Promise<readonly string[]> {
  const handle = await open(log, "r").catch(() => undefined);
  if (handle === undefined) return [];
  try {
    const { size } = await handle.stat();
    const start = Math.max(size < from ? 0 : from, size - 64_000);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(size - start), 0, size - start, start);
    const lines = buffer.toString("utf8", 0, bytesRead).split("\n");
    // Lines without a pid come from the loader or the C library, before PostgreSQL has a log.
    return lines.filter((line) => line !== "" && (line.includes(`[${pid}]`) || !/\[\d+\]/.test(line)));
  } finally {
    await handle.close();
  }
}
