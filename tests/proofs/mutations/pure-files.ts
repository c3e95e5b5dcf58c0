import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { scan } from "../../../tools/tidy/scan.ts";

/** Names of the floor plan whose files translate at an edge: HTTP, the database, a page, a file for download. */
const EDGES = /^(?:index|jobs|queries|routes|wire|present(?:-.*)?|.*-(?:change|csv|row|wire))\.ts$/;

/** What only a file that acts has: it waits, or takes what a verb needs. */
const ACTS = /\b(?:async|await|ctx|Context|Tx)\b/;

/** The kernel, and of each feature the nouns and rules: the files that decide and do not act. */
export function pureFiles(): readonly string[] {
  const kernel = globSync("src/kernel/**/*.ts").filter((path) => !isTexts(path));
  const rules = globSync("src/features/**/*.ts").filter(
    (path) => !EDGES.test(basename(path)) && (path.endsWith("-rules.ts") || !ACTS.test(codeOf(path))),
  );
  return [...kernel, ...rules].filter((path) => !path.endsWith(".test.ts")).sort();
}

/** The texts of one language decide nothing. */
function isTexts(path: string): boolean {
  const code = codeOf(path);
  return /^export const [A-Z_]+: Catalogue = /m.test(code) && !/\bfunction\b/.test(code);
}

function codeOf(path: string): string {
  return scan(readFileSync(path, "utf8")).code;
}
