/**
 * Builds the client package for Node 20 and newer: plain JavaScript modules and their types, and the same as CommonJS.
 *
 *   npm run build:client        into packages/client/dist; `npm pack` runs it automatically
 */
import { copyFileSync, globSync, statSync } from "node:fs";
import { join } from "node:path";
import { compilePackage } from "./compile-package.ts";

const root = join(import.meta.dirname, "..");
const folder = join(root, "packages/client");
const dist = join(folder, "dist");

export function buildClient(into = dist): void {
  compilePackage({ folder: "packages/client", into, target: "node20" });
  // The types of the browser's script: the file that the gateway serves. It declares a global, so there is one for both
  // kinds of modules; both can import the types of CommonJS.
  copyFileSync(join(root, "browser/payui/payui.d.ts"), join(into, "payui.d.cts"));
}

/** Builds it unless the build is up to date. */
export function ensureClientBuilt(): void {
  const built = statSync(join(dist, "payui.d.cts"), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = [...globSync("src/**/*.ts", { cwd: folder }), "package.json", "tsconfig.json"];
  if (sources.some((file) => statSync(join(folder, file)).mtimeMs > built)) buildClient();
}

if (process.argv[1] === import.meta.filename) buildClient();
