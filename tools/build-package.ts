/**
 * Builds the content of `npm pack`: the gateway in plain JavaScript, because Node strips types in a checkout but never
 * below node_modules. The folder structure stays the same, so that relative paths work.
 *
 *   npm pack        runs it automatically, into dist; a checkout runs its sources and ignores dist
 */
import { execFileSync } from "node:child_process";
import { cpSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { releaseBill } from "./sbom/release-bill.ts";

const root = join(import.meta.dirname, "..");

/** Folders with files that the gateway reads at run time: stylesheets, the frame's page, migrations, guides. */
const RUNTIME_FOLDERS = ["src", "browser", "migrations", "docs/guides", "docs/generated", "docs/grafana"];

export function buildPackage(into = join(root, "dist")): void {
  rmSync(into, { recursive: true, force: true });
  const project = ["--project", join(root, "tools/tsconfig.package.json"), "--outDir", into];
  execFileSync(join(root, "node_modules/.bin/tsc"), project, { stdio: "inherit" });
  for (const folder of RUNTIME_FOLDERS) {
    cpSync(join(root, folder), join(into, folder), { recursive: true, filter: isRuntimeFile });
  }
  writeFileSync(join(into, "sbom.cdx.json"), releaseBill());
  // npm leaves a lock file out, and ignores this one in a file that it installs; `npm ci` beside package.json reads it.
  cpSync(join(root, "package-lock.json"), join(into, "npm-shrinkwrap.json"));
}

/** Of TypeScript, only declarations are needed: they are served to integrators. */
function isRuntimeFile(path: string): boolean {
  return !/(?<!\.d)\.ts$|tsconfig\.json$/.test(path);
}

if (process.argv[1] === import.meta.filename) buildPackage();
