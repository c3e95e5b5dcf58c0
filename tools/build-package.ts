/**
 * Builds what `npm pack` packs: the gateway in plain JavaScript, because Node strips types in a checkout but never below
 * node_modules. The tree stays as it is here, so that every file finds its neighbours.
 *
 *   npm pack        does it by itself, into dist; a checkout runs its sources and never looks there
 */
import { execFileSync } from "node:child_process";
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");

/** What the gateway reads when it runs, beside its modules: stylesheets, the frame's page, migrations, guides. */
const READ = ["src", "browser", "migrations", "docs/guides", "docs/generated", "docs/grafana"];

export function buildPackage(into = join(root, "dist")): void {
  rmSync(into, { recursive: true, force: true });
  const project = ["--project", join(root, "tools/tsconfig.package.json"), "--outDir", into];
  execFileSync(join(root, "node_modules/.bin/tsc"), project, { stdio: "inherit" });
  for (const folder of READ) {
    cpSync(join(root, folder), join(into, folder), { recursive: true, filter: isRead });
  }
}

/** Of TypeScript only declarations are read: they are served to integrators. */
function isRead(path: string): boolean {
  return !/(?<!\.d)\.ts$|tsconfig\.json$/.test(path);
}

if (import.meta.main) buildPackage();
