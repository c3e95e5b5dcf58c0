import { open, rm } from "node:fs/promises";
import { fail } from "./bank-file.ts";

/**
 * Creates a file before `work` decides what is in it: nothing is decided for a file that can't be created. A file that gets
 * no text is removed.
 */
export async function intoNewFile<Result>(
  path: string,
  work: (write: (text: string) => Promise<void>) => Promise<Result>,
): Promise<Result> {
  const file = await open(path, "wx", 0o600).catch(() =>
    fail(`${path} can't be written or exists already; nothing is exported`),
  );
  let isWritten = false;
  try {
    return await work(async (text) => {
      await file.writeFile(text).catch(() => fail(`${path} can't be written; --batch writes it again`));
      isWritten = true;
    });
  } finally {
    await file.close();
    if (!isWritten) await rm(path, { force: true });
  }
}
