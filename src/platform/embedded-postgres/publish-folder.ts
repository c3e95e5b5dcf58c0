import { randomBytes } from "node:crypto";
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { codeOf } from "./trouble.ts";

const abandonedAfterMs = 10 * 60_000;

/**
 * Makes a folder all at once or not at all: it is filled under a temporary name beside its place and then renamed.
 * Of two processes that do this at once one wins and the other throws its own away, so every later reader finds a
 * whole folder, whoever made it.
 */
export async function publishFolder(
  place: string,
  fill: (temporary: string) => Promise<void>,
): Promise<void> {
  const temporary = `${place}.new-${randomBytes(6).toString("hex")}`;
  try {
    await mkdir(temporary, { mode: 0o700 });
    await fill(temporary);
    await rename(temporary, place);
    await syncFolder(dirname(place));
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    const code = codeOf(error);
    if (code !== "ENOTEMPTY" && code !== "EEXIST") throw error;
  }
}

/**
 * A process killed while filling leaves its temporary folder behind; an old one has no maker any more. Called by every
 * start, for the next one usually finds a published folder.
 */
export async function removeAbandoned(place: string): Promise<void> {
  const prefix = `${basename(place)}.new-`;
  for (const name of await readdir(dirname(place))) {
    if (!name.startsWith(prefix)) continue;
    const leftover = join(dirname(place), name);
    const seen = await stat(leftover).catch(() => undefined);
    if (seen !== undefined && Date.now() - seen.mtimeMs > abandonedAfterMs) {
      await rm(leftover, { recursive: true, force: true });
    }
  }
}

/** Without this a power cut may undo the rename although everything inside the folder is on disk. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
