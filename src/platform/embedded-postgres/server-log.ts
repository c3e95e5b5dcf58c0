import { constants } from "node:fs";
import { copyFile, type FileHandle, open, stat, truncate } from "node:fs/promises";
import { dirname } from "node:path";

const trimAboveBytes = 16_000_000;

/** Opens it for appending, so that trimming under a running server is safe, and never through a planted link. */
export async function openServerLog(log: string): Promise<FileHandle> {
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
  if ((await stat(log)).size <= trimAboveBytes) return;
  await copyFile(log, `${log}.1`);
  await truncate(log);
}

/** What the process with this pid logged since `from`; several servers may start, and log, at the same time. */
export async function readServerLog(log: string, from: number, pid: number): Promise<readonly string[]> {
  const handle = await open(log, "r");
  try {
    const { size } = await handle.stat();
    const start = Math.max(size < from ? 0 : from, size - 64_000);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(size - start), 0, size - start, start);
    const lines = buffer.toString("utf8", 0, bytesRead).split("\n");
    // Lines without a pid come from the loader or the C library, before PostgreSQL logs.
    return lines.filter((line) => line !== "" && (line.includes(`[${pid}]`) || !/\[\d+\]/.test(line)));
  } finally {
    await handle.close();
  }
}
