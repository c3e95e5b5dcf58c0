import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { extname, join, relative } from "node:path";
import { type BuildOptions, build, type Plugin, stop } from "esbuild";
import { LIBRARY_TYPES } from "../cards/card-scheme.ts";
import { joinRanges, type Patterns } from "./join-ranges.ts";

const ROOT = join(import.meta.dirname, "../../..");

/** Scripts are TypeScript in a checkout, and JavaScript like this file in the package that `npm pack` makes. */
const SCRIPTS_END = extname(import.meta.filename);

/** Files that decide how the others are bundled. */
const RECIPE = [
  ...["assets/bundle", "assets/join-ranges", "cards/card-scheme"].map(
    (name) => `src/platform/${name}${SCRIPTS_END}`,
  ),
  relative(ROOT, createRequire(import.meta.url).resolve("esbuild/package.json")),
];

/** The oldest browsers that the specification names. tools/browser-floor.ts holds the outcome against them. */
const OLDEST_BROWSERS = ["chrome60", "edge79", "firefox60", "safari17", "ios17"];

/** Names in the library's table that no code here reads. */
const UNREAD = ["type", "niceType", "name"];

/** The library's ranges of schemes that we do not know stay out of what browsers load: about 1 KB. */
const OUR_SCHEMES_ONLY: Plugin = {
  name: "our schemes only",
  setup: (bundler) => {
    bundler.onLoad({ filter: /credit-card-type.dist.lib.card-types\.js$/ }, ({ path }) => {
      const all = createRequire(import.meta.url)(path) as Readonly<Record<string, unknown>>;
      const ours = Object.fromEntries(LIBRARY_TYPES.map((name) => [name, all[name]]));
      const read = (key: string, value: unknown) => {
        if (key === "patterns") return joinRanges(value as Patterns);
        return UNREAD.includes(key) ? undefined : value;
      };
      return { contents: JSON.stringify(ours, read), loader: "json" };
    });
  },
};

/** As a module the one CommonJS file needs none of the bundler's wrapping, which weighs more than the file: about 0.3 KB. */
const CHECKSUM_AS_MODULE: Plugin = {
  name: "checksum as a module",
  setup: (bundler) => {
    bundler.onLoad({ filter: /card-validator.dist.luhn-10\.js$/ }, async ({ path }) => ({
      contents: (await readFile(path, "utf8")).replace("module.exports =", "export default"),
    }));
  },
};

const OPTIONS = {
  plugins: [OUR_SCHEMES_ONLY, CHECKSUM_AS_MODULE],
  bundle: true,
  minify: true,
  write: false,
  metafile: true,
  outdir: "bundles",
  format: "iife",
  platform: "browser",
  target: OLDEST_BROWSERS,
  // All of them know template literals; the bundler would only change a detail of tagged ones, which no code here uses.
  supported: { "template-literal": true },
  charset: "utf8",
  legalComments: "none",
  logLevel: "silent",
  absWorkingDir: ROOT,
} as const satisfies BuildOptions;

/** Bundles by their entry, and the paths of all files that they were made from; paths are those in the repository. */
export type Bundles = {
  readonly texts: ReadonlyMap<string, string>;
  readonly sources: readonly string[];
};

/**
 * Scripts and stylesheets, named by their paths in the repository, each with everything that it imports. The same sources
 * produce the same bytes on every machine.
 */
export async function bundle(entries: readonly string[]): Promise<Bundles> {
  try {
    const { outputFiles, metafile, warnings } = await build({
      ...OPTIONS,
      entryPoints: entries.map((entry) => join(ROOT, sourceOf(entry))),
    });
    if (warnings.length > 0) throw new Error(warnings.map(({ text }) => text).join("; "));
    const made = new Map(
      outputFiles.map(({ path, text }) => [metafile.outputs[relative(ROOT, path)]?.entryPoint, text]),
    );
    const texts = new Map(entries.map((entry) => [entry, made.get(sourceOf(entry)) ?? missing(entry)]));
    return { texts, sources: [...Object.keys(metafile.inputs), ...RECIPE] };
  } finally {
    // The bundler is a process of its own; nothing is left for it to do.
    await stop();
  }
}

function missing(entry: string): never {
  throw new Error(`the bundler made nothing of ${entry}`);
}

function sourceOf(entry: string): string {
  return entry.replace(/\.ts$/, SCRIPTS_END);
}
