import { extname, join } from "node:path";
import { type BuildOptions, build } from "esbuild";

const ROOT = join(import.meta.dirname, "../../..");

/** Scripts are TypeScript in a checkout, and JavaScript like this file in the package that `npm pack` makes. */
const SCRIPTS_END = extname(import.meta.filename);

/** The oldest browsers that the specification names. tools/browser-floor.ts holds the outcome against them. */
const OLDEST_BROWSERS = ["chrome60", "edge79", "firefox60", "safari17", "ios17"];

const OPTIONS: BuildOptions = {
  bundle: true,
  minify: true,
  write: false,
  format: "iife",
  platform: "browser",
  target: OLDEST_BROWSERS,
  // All of them know template literals; the bundler would only change a detail of tagged ones, which no code here uses.
  supported: { "template-literal": true },
  charset: "utf8",
  legalComments: "none",
  logLevel: "silent",
  absWorkingDir: ROOT,
};

/**
 * One script or stylesheet, named by its path in the repository, with everything that it imports. The same sources
 * produce the same bytes on every machine.
 */
export async function bundle(entry: string): Promise<string> {
  const { outputFiles = [], warnings } = await build({
    ...OPTIONS,
    entryPoints: [join(ROOT, entry.replace(/\.ts$/, SCRIPTS_END))],
  });
  const [file] = outputFiles;
  if (file === undefined || warnings.length > 0) {
    throw new Error(`${entry} can't be bundled: ${warnings.map(({ text }) => text).join("; ")}`);
  }
  return file.text;
}
