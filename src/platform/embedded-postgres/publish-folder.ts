import { randomBytes } from "node:crypto";
import { lstat, mkdir, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { codeOf } from "./errors.ts";

/**
 * Makes a folder atomically: fills it under a temporary name beside its place and renames it. Of two processes at once
 * one wins and the other deletes its own, so every reader finds a complete folder.
 */
export async function publishFolder(
  place: string,
  fill: (temporary: string) => Promise<void>,
): Promise<void> {
  if (await lstat(place).then(Boolean, () => false)) return;
  const temporary = `${place}.new-${randomBytes(6).toString("hex")}`;
  try {
    await mkdir(temporary, { mode: 0o700 });
    await fill(temporary);
    await rename(temporary, place);
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    if (!["ENOTEMPTY", "EEXIST"].includes(codeOf(error))) throw error;
  }
  // A power cut could otherwise undo the rename although everything inside the folder is on disk.
  const parent = await open(dirname(place), "r");
  await parent.sync().finally(() => parent.close());
}
