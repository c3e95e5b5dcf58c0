import { randomBytes } from "node:crypto";
import { lstat, mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { codeOf } from "./errors.ts";

const abandonedAfterMs = 10 * 60_000;

/**
 * Makes a folder atomically where there is none: fills it under a temporary name beside its place and renames it. Of two
 * processes at once one wins and the other deletes its own, so every reader finds a complete folder.
 */
export async function publishFolder(
  place: string,
  fill: (temporary: string) => Promise<void>,
): Promise<void> {
  const parent = dirname(place);
  const temporaryPrefix = `${place}.new-`;
  // A process killed while it fills a folder leaves it behind.
  for (const path of (await readdir(parent)).map((name) => join(parent, name))) {
    const found = path.startsWith(temporaryPrefix) ? await lstat(path).catch(() => undefined) : undefined;
    if (found === undefined || Date.now() - found.mtimeMs < abandonedAfterMs) continue;
    await rm(path, { recursive: true, force: true });
  }
  if (await lstat(place).then(Boolean, () => false)) return;
  const temporary = `${temporaryPrefix}${randomBytes(6).toString("hex")}`;
  try {
    await mkdir(temporary, { mode: 0o700 });
    await fill(temporary);
    await rename(temporary, place);
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    if (!["ENOTEMPTY", "EEXIST"].includes(codeOf(error))) throw error;
  }
  // A power cut could otherwise undo the rename although everything inside the folder is on disk.
  const handle = await open(parent, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
