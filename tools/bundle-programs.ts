import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";

const root = join(import.meta.dirname, "..");

/** Programs that tests start again and again. */
const PROGRAMS = { gateway: "tests/support/crashing-gateway.ts", cli: "src/cli/main.ts" };

/**
 * Bundles the gateway that tests kill, and the command line: most of a start is finding a thousand modules, so a bundle
 * takes two thirds of the CPU. Node finds the packages from the bundle's place, so `folder` is below node_modules.
 */
export async function bundlePrograms(folder: string): Promise<Record<keyof typeof PROGRAMS, string>> {
  await build({
    entryPoints: PROGRAMS,
    absWorkingDir: root,
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    // What a command does not need stays unread.
    splitting: true,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "node24",
    logLevel: "error",
    plugins: [KEEP_PLACES],
  });
  return { gateway: join(folder, "gateway.mjs"), cli: join(folder, "cli.mjs") };
}

/** Modules read files beside them; in a bundle they still name the place of their source. */
const KEEP_PLACES: Plugin = {
  name: "keep-places",
  setup: (esbuild) => {
    esbuild.onLoad({ filter: /\/(?:src|tests)\/.*\.ts$/ }, ({ path }) => {
      const places = {
        "import.meta.dirname": dirname(path),
        "import.meta.filename": path,
        "import.meta.url": pathToFileURL(path).href,
      };
      let contents = readFileSync(path, "utf8");
      for (const [name, place] of Object.entries(places))
        contents = contents.replaceAll(name, () => JSON.stringify(place));
      return { loader: "ts", contents };
    });
  },
};
