import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../../..");

type Kept = {
  /** Of everything that the bundles were made from. */
  readonly hash: string;
  readonly sources: readonly string[];
  readonly texts: Readonly<Record<string, string>>;
};

/**
 * The bundles of these entries, as the last start made them if none of their sources has changed, or made again and kept
 * in the folder: the bundler takes a third of the CPU of a start. Where nothing can be written, every start makes them.
 */
export async function keptBundles(
  folder: string,
  entries: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const file = join(folder, "browser-code.json");
  const kept = readKept(file);
  if (kept !== undefined && entries.every((entry) => entry in kept.texts)) {
    return new Map(Object.entries(kept.texts));
  }
  // The bundler is loaded only when it is needed.
  const { bundle } = await import("./bundle.ts");
  const { texts, sources } = await bundle(entries);
  const keep: Kept = { hash: hashOf(sources), sources, texts: Object.fromEntries(texts) };
  await mkdir(folder, { recursive: true })
    .then(() => writeFile(file, JSON.stringify(keep), { mode: 0o644 }))
    .catch(() => {});
  return texts;
}

/** Nothing when there are none, they are incomplete, or a source has changed since. */
function readKept(file: string): Kept | undefined {
  try {
    const kept = JSON.parse(readFileSync(file, "utf8")) as Kept;
    return hashOf(kept.sources) === kept.hash ? kept : undefined;
  } catch {
    return undefined;
  }
}

function hashOf(sources: readonly string[]): string {
  const hash = createHash("sha256");
  for (const source of sources) {
    const bytes = readFileSync(join(ROOT, source));
    hash.update(`${source}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest("hex");
}
