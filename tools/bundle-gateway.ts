import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";

const root = join(import.meta.dirname, "..");
const GATEWAY = join(root, "tests/support/crashing-gateway.ts");

/**
 * Bundles the gateway that tests kill: most of a start is finding a thousand modules, so the bundle takes two thirds of
 * the CPU. Node finds the packages from the bundle's place, so `folder` is below node_modules.
 */
export async function bundleGateway(folder: string): Promise<string> {
  const bundle = join(folder, "gateway.mjs");
  await build({
    entryPoints: [GATEWAY],
    outfile: bundle,
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "node24",
    logLevel: "error",
    plugins: [KEEP_PLACES],
  });
  return bundle;
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
