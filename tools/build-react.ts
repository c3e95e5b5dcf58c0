/**
 * Builds the React package: JavaScript modules and CommonJS, each with its types.
 *
 *   npm run build:react         into packages/react/dist; `npm pack` runs it automatically
 */
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { compilePackage } from "./compile-package.ts";

const root = join(import.meta.dirname, "..");

export function buildReact(into = join(root, "packages/react/dist")): void {
  compilePackage({ folder: "packages/react", into, target: "es2017" });
  addScriptTypes(into);
}

/**
 * The types of the browser's script, without the global `SVC`: a page that declares it too, by the gateway's own file or by
 * the client package, would declare it twice.
 */
function addScriptTypes(into: string): void {
  const [types = ""] = readFileSync(join(root, "browser/payui/payui.d.ts"), "utf8").split("declare global");
  for (const file of globSync("**/*.d.ts", { cwd: into })) {
    const text = readFileSync(join(into, file), "utf8");
    writeFileSync(join(into, file), text.replaceAll('"@tidegate/client/payui"', '"./payui.js"'));
    writeFileSync(join(into, dirname(file), "payui.d.ts"), types);
  }
}

if (process.argv[1] === import.meta.filename) buildReact();
