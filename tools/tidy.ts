/**
 * Checks the rules of this repository that no linter knows, on every file that git tracks or would track.
 * `npx node tools/tidy.ts` prints the problems and exits with 1; tools/tidy.test.ts plants one for each rule.
 */
import { execFileSync } from "node:child_process";
import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { codeProblems, commentProblems } from "./tidy/code-rules.ts";
import { decisionProblems, linkProblems, migrationProblems } from "./tidy/document-rules.ts";
import { importProblems, placeProblems } from "./tidy/import-rules.ts";
import { mapProblems, mentionProblems, nameMentionProblems } from "./tidy/mention-rules.ts";
import { nameProblems } from "./tidy/name-rules.ts";
import { isCode, type Problem, type RepoFile } from "./tidy/problem.ts";
import { scan } from "./tidy/scan.ts";
import { featureTables, sqlProblems, tableProblems } from "./tidy/sql-rule.ts";
import { traceProblems } from "./tidy/trace-rules.ts";
import { wordProblems } from "./tidy/word-rule.ts";

export function findProblems(files: readonly RepoFile[]): readonly Problem[] {
  const scans = new Map(files.filter(({ path }) => isCode(path)).map(({ path, text }) => [path, scan(text)]));
  const tables = featureTables(files);
  const problems: Problem[] = [
    ...placeProblems(files),
    ...nameProblems(files),
    ...migrationProblems(files),
    ...decisionProblems(files),
    ...linkProblems(files),
    ...mentionProblems(files, scans),
    ...nameMentionProblems(files),
    ...mapProblems(files),
  ];
  for (const file of files) {
    problems.push(...traceProblems(file), ...wordProblems(file));
    const scanned = scans.get(file.path);
    if (scanned === undefined) continue;
    problems.push(
      ...importProblems(file, scanned),
      ...codeProblems(file.path, scanned),
      ...commentProblems(file.path, scanned),
      ...sqlProblems(file.path, scanned),
      ...tableProblems(file.path, scanned, tables),
    );
  }
  return problems.toSorted((a, b) => (a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1));
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
  const problems = findProblems(files);
  for (const { path, line, rule, message, fix } of problems) {
    console.log(`${path}:${line}  ${message} [${rule}]\n    ${fix}`);
  }
  console.log(`${files.length} files, ${problems.length} problems`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
