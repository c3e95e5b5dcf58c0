/**
 * A small test of the repository itself: it holds the house rules against every file that git knows or would
 * know. `node tools/tidy.ts` prints what it found and exits with 1; tools/tidy.test.ts plants each offence.
 */
import { execFileSync } from "node:child_process";
import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { codeOffences, textOffences } from "./tidy/code-rules.ts";
import { decisionOffences, linkOffences, migrationOffences } from "./tidy/document-rules.ts";
import { importOffences, placeOffences } from "./tidy/import-rules.ts";
import { mapOffences, mentionOffences } from "./tidy/mention-rules.ts";
import { nameOffences } from "./tidy/name-rules.ts";
import { isCode, type Offence, type RepoFile } from "./tidy/offence.ts";
import { scan } from "./tidy/scan.ts";
import { sqlOffences } from "./tidy/sql-rule.ts";
import { traceOffences } from "./tidy/trace-rules.ts";

export function findOffences(files: readonly RepoFile[]): readonly Offence[] {
  const scans = new Map(files.filter(({ path }) => isCode(path)).map(({ path, text }) => [path, scan(text)]));
  const offences: Offence[] = [
    ...placeOffences(files),
    ...nameOffences(files),
    ...migrationOffences(files),
    ...decisionOffences(files),
    ...linkOffences(files),
    ...mentionOffences(files, scans),
    ...mapOffences(files),
  ];
  for (const file of files) {
    offences.push(...textOffences(file), ...traceOffences(file));
    const scanned = scans.get(file.path);
    if (scanned === undefined) continue;
    offences.push(
      ...importOffences(file, scanned),
      ...codeOffences(file, scanned),
      ...sqlOffences(file.path, scanned),
    );
  }
  return offences.toSorted((a, b) => (a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1));
}

/** Files that git tracks or would track. A binary file keeps its name (links lead to it) but has no text. */
function readRepository(root: string): readonly RepoFile[] {
  const list = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
  });
  const files: RepoFile[] = [];
  for (const path of new Set(list.toString("utf8").split("\0"))) {
    const full = join(root, path);
    if (path === "" || !lstatSync(full, { throwIfNoEntry: false })?.isFile()) continue;
    const bytes = readFileSync(full);
    files.push({ path, text: bytes.includes(0) ? "" : bytes.toString("utf8") });
  }
  return files;
}

if (import.meta.main) {
  const files = readRepository(join(import.meta.dirname, ".."));
  const offences = findOffences(files);
  for (const { path, line, rule, problem, mend } of offences) {
    console.log(`${path}:${line}  ${problem} [${rule}]\n    ${mend}`);
  }
  console.log(`${files.length} files, ${offences.length} offences`);
  process.exitCode = offences.length === 0 ? 0 : 1;
}
