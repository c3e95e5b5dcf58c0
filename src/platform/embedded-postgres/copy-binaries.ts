import { chmod, cp, lstat, mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { publishFolder, removeAbandoned } from "./publish-folder.ts";
import { EmbeddedPostgresTrouble, messageOf, useYourOwn } from "./trouble.ts";

/**
 * The account of the server can't always reach the package (a checkout in root's home), and the package can't always
 * take its library links (a read-only node_modules). Then a copy is made once per version. Returns its native folder.
 */
export async function copyOfBinaries(
  packageFolder: string,
  copiesFolder: string,
  linkLibraries: (native: string) => Promise<boolean>,
): Promise<string> {
  const { version } = JSON.parse(await readFile(join(packageFolder, "package.json"), "utf8")) as {
    version: string;
  };
  const place = join(copiesFolder, `postgresql-${version}-${process.platform}-${process.arch}`);
  try {
    const made = await mkdir(copiesFolder, { recursive: true });
    if (made !== undefined) await chmod(copiesFolder, 0o755); // whatever our umask says, the account has to pass
    await refuseStrangersFolder(copiesFolder);
    await removeAbandoned(place);
    if (!(await isThere(place))) {
      await publishFolder(place, async (temporary) => {
        const native = join(temporary, "native");
        await cp(join(packageFolder, "native"), native, {
          recursive: true,
          verbatimSymlinks: true,
          filter: (source) => !source.endsWith(".a"), // static libraries are for compiling
        });
        await linkLibraries(native);
        await openForReading(temporary);
      });
    }
    await refuseStrangersFolder(place);
  } catch (error) {
    if (error instanceof EmbeddedPostgresTrouble) throw error;
    throw new EmbeddedPostgresTrouble(
      `the PostgreSQL binaries in ${packageFolder} are out of reach for the server and cannot be copied to ${place} (${messageOf(error)}): move the checkout, or ${useYourOwn}`,
      { cause: error },
    );
  }
  return join(place, "native");
}

async function isThere(place: string): Promise<boolean> {
  return (await lstat(place).catch(() => undefined)) !== undefined;
}

/** What we run must not be something that another user could have put there. */
async function refuseStrangersFolder(folder: string): Promise<void> {
  const seen = await lstat(folder);
  if (!seen.isDirectory() || seen.uid !== process.getuid?.() || (seen.mode & 0o022) !== 0) {
    throw new EmbeddedPostgresTrouble(
      `${folder} is not a folder that only this user can write to: remove it or repair its owner and mode, or ${useYourOwn}`,
    );
  }
}

/** The account must be able to read the copy even when root's umask is 077. */
async function openForReading(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) await chmod(path, 0o755);
    else if (entry.isFile()) await chmod(path, (await lstat(path)).mode & 0o100 ? 0o755 : 0o644);
  }
}
