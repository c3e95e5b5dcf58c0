import { execFileSync } from "node:child_process";
import { copyFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { transformSync } from "esbuild";

const root = join(import.meta.dirname, "..");

type Output = {
  /** The folder of the package, from the root of the checkout. */
  readonly folder: string;
  readonly into: string;
  /** The oldest engine that runs it. */
  readonly target: string;
};

/** Compiles a package of `packages/`: JavaScript modules and their types, the same as CommonJS in `cjs`, the licence. */
export function compilePackage({ folder, into, target }: Output): void {
  rmSync(into, { recursive: true, force: true });
  mkdirSync(into, { recursive: true });
  const tsc = join(root, "node_modules/.bin/tsc");
  const project = ["--project", join(root, folder, "tsconfig.json"), "--outDir", into];
  execFileSync(tsc, project, { stdio: "inherit" });
  // The compiler rewrites import extensions in JavaScript only.
  for (const file of globSync("**/*.d.ts", { cwd: into })) {
    const text = readFileSync(join(into, file), "utf8");
    writeFileSync(join(into, file), text.replaceAll(/(["'])(\.{1,2}\/[^"']+)\.ts\1/g, "$1$2.js$1"));
  }
  writeCommonJs(into, target);
  copyFileSync(join(root, "LICENSE"), join(into, "LICENSE"));
}

/** The same files for `require`. Their types are the same text: the nearest package.json says what kind of module it is. */
function writeCommonJs(into: string, target: string): void {
  const files = globSync("**/*.{js,d.ts}", { cwd: into });
  for (const file of files) {
    const text = readFileSync(join(into, file), "utf8");
    const made = file.endsWith(".js")
      ? transformSync(text, { format: "cjs", target, platform: "node" }).code
      : text;
    const place = join(into, "cjs", file);
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, made);
  }
  writeFileSync(join(into, "cjs/package.json"), '{"type":"commonjs"}\n');
}
