export type RepoFile = { readonly path: string; readonly text: string };

/** What is wrong where, and how to fix it, both in words that a newcomer understands. */
export type Problem = {
  readonly path: string;
  readonly line: number;
  readonly rule: Rule;
  readonly message: string;
  readonly fix: string;
};

/** Every rule by name. The test plants a problem for each of these and fails when one is missing. */
export const RULES = [
  "imports",
  "unreadable-import",
  "feature-order",
  "platform-order",
  "past-index",
  "unknown-place",
  "folder-name",
  "file-name",
  "sql-place",
  "feature-table",
  "clock",
  "skipped-test",
  "secret-comparison",
  "stray-comment",
  "machine-path",
  "registry-host",
  "e-mail",
  "migration-name",
  "migration-gap",
  "dependency-without-decision",
  "decision-length",
  "decision-number",
  "dead-link",
  "dead-mention",
  "dead-name",
  "stale-map",
  "plain-words",
] as const;

export type Rule = (typeof RULES)[number];

export function isCode(path: string): boolean {
  return /\.(?:ts|tsx|mts|js|jsx|mjs)$/.test(path);
}

/** Tests, tools and benchmarks may import anything. */
export function isTest(path: string): boolean {
  return /\.test\.tsx?$/.test(path) || isIn(path, "tests", "tools", "bench");
}

export function isIn(path: string, ...folders: readonly string[]): boolean {
  return folders.some((folder) => path.startsWith(`${folder}/`));
}

export function lineAt(text: string, index: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < index; at = text.indexOf("\n", at + 1)) line += 1;
  return line;
}
