/**
 * Builds the client package for Node 20 and newer: plain JavaScript modules and their types, and the same as CommonJS.
 *
 *   npm run build:client        into packages/client/dist; `npm pack` runs it automatically
 */
import { execFileSync } from "node:child_process";
import { copyFileSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { transformSync } from "esbuild";

const root = join(import.meta.dirname, "..");
const folder = join(root, "packages/client");
const dist = join(folder, "dist");

export function buildClient(into = dist): void {
  rmSync(into, { recursive: true, force: true });
  mkdirSync(into);
  const tsc = join(root, "node_modules/.bin/tsc");
  const project = ["--project", join(folder, "tsconfig.json"), "--outDir", into];
  execFileSync(tsc, project, { stdio: "inherit" });
  // The compiler rewrites import extensions in JavaScript only.
  for (const file of globSync("**/*.d.ts", { cwd: into })) {
    const text = readFileSync(join(into, file), "utf8");
    writeFileSync(join(into, file), text.replaceAll(/(["'])(\.{1,2}\/[^"']+)\.ts\1/g, "$1$2.js$1"));
  }
  writeCommonJs(into);
  // The types of the browser's script: the file that the gateway serves. It declares a global, so there is one for both
  // kinds of modules; both can import the types of CommonJS.
  copyFileSync(join(root, "browser/payui/payui.d.ts"), join(into, "payui.d.cts"));
  copyFileSync(join(root, "LICENSE"), join(into, "LICENSE"));
}

/** The same files for `require`. Their types are the same text: the nearest package.json says what kind of module it is. */
function writeCommonJs(into: string): void {
  const files = globSync("**/*.{js,d.ts}", { cwd: into });
  for (const file of files) {
    const text = readFileSync(join(into, file), "utf8");
    const made = file.endsWith(".js")
      ? transformSync(text, { format: "cjs", target: "node20", platform: "node" }).code
      : text;
    const target = join(into, "cjs", file);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, made);
  }
  writeFileSync(join(into, "cjs/package.json"), '{"type":"commonjs"}\n');
}

/** Builds it unless the build is up to date. */
export function ensureClientBuilt(): void {
  const built = statSync(join(dist, "LICENSE"), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = [...globSync("src/**/*.ts", { cwd: folder }), "package.json", "tsconfig.json"];
  if (sources.some((file) => statSync(join(folder, file)).mtimeMs > built)) buildClient();
}

if (process.argv[1] === import.meta.filename) buildClient();
