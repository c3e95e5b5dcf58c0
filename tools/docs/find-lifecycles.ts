import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A lifecycle table of a noun's file. */
export type FoundLifecycle = {
  readonly feature: string;
  /** The file, from the root of the checkout. */
  readonly path: string;
  readonly name: string;
  readonly about: string;
  readonly table: Readonly<Record<string, Readonly<Record<string, string>>>>;
};

const root = join(import.meta.dirname, "..", "..");
const EXPORT = /(?:\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*)?export const (\w*[lL]ifecycle)\b/g;

/** Finds every lifecycle of features and platform by its name, so that the docs and the tests cover all of them. */
export async function findLifecycles(): Promise<readonly FoundLifecycle[]> {
  const found: FoundLifecycle[] = [];
  for (const path of globSync("src/{features,platform}/**/*.ts", { cwd: root }).sort()) {
    const text = path.endsWith(".test.ts") ? "" : readFileSync(join(root, path), "utf8");
    for (const [, comment = "", name = ""] of text.matchAll(EXPORT)) {
      const module = (await import(join(root, path))) as Readonly<Record<string, FoundLifecycle["table"]>>;
      const table = module[name];
      if (table === undefined) throw new Error(`${path} has no ${name}`);
      const feature = path.split("/")[2] ?? "";
      const about = comment.replaceAll(/\s*\n?\s*\*\s*|\s+/g, " ").trim();
      found.push({ feature, path, name, about, table });
    }
  }
  return found;
}
