import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { lstat, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { ROOT } from "../stage/program.ts";

const run = promisify(execFile);
const WITHIN_MS = 600_000;

/** A folder with the package in its node_modules, or why there is none. */
export type Installed = { readonly folder: string } | { readonly obstacle: string };

/** Installs one package of npm in a folder of its own, without running its scripts. Kept for the next run. */
export async function installPeer(name: string, version: string): Promise<Installed> {
  const folder = join(tmpdir(), `tidegate-peer-${name.replaceAll(/\W+/g, "-")}-${version}`);
  try {
    if (!existsSync(join(folder, "ready"))) {
      await mkdir(folder, { recursive: true });
      const manifest = { private: true, dependencies: { [name]: version } };
      await writeFile(join(folder, "package.json"), JSON.stringify(manifest));
      const quiet = ["--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];
      await run("npm", ["install", ...quiet], { cwd: folder, timeout: WITHIN_MS });
      await writeFile(join(folder, "ready"), "");
    }
    return { folder };
  } catch (error) {
    return { obstacle: `npm cannot install ${name}@${version}: ${String(error).split("\n")[0]}` };
  }
}

/** The bytes of all files below a folder. */
export async function bytesIn(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (entry.isFile()) bytes += (await lstat(join(entry.parentPath, entry.name))).size;
  }
  return bytes;
}

/** What a user of the gateway installs: its own files and the packages that it needs to run, Node and PostgreSQL included. */
export async function bytesOfGateway(): Promise<number> {
  const { packages } = JSON.parse(await readFile(join(ROOT, "package-lock.json"), "utf8")) as {
    readonly packages: Readonly<Record<string, { readonly dev?: boolean }>>;
  };
  const needed = Object.entries(packages).filter(([path, { dev }]) => path !== "" && dev !== true);
  const folders = [
    ...needed.map(([path]) => path).filter((path) => !isInside(path, needed)),
    ...["src", "browser", "migrations", "bin", "docs/guides", "docs/generated"],
  ];
  const sizes = folders
    .map((folder) => join(ROOT, folder))
    .filter((folder) => existsSync(folder))
    .map(bytesIn);
  return (await Promise.all(sizes)).reduce((sum, one) => sum + one, 0);
}

/** A package in the node_modules of another one is counted with it. */
function isInside(path: string, all: readonly (readonly [string, unknown])[]): boolean {
  return all.some(([other]) => other !== "" && path.startsWith(`${other}/`));
}
