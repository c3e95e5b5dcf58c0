import { isIn, isTest, type Problem } from "./problem.ts";
import type { Scan } from "./scan.ts";

/** How a statement starts. Only the start counts, so prose such as "select a card" is no problem. */
const STATEMENTS: readonly RegExp[] = [
  /^\s*select\s(?:[\s\S]*\s)?from(?:\s|$)/,
  /^\s*select\s+(?:[\d*$]|\w+\(|[\w.]+,)/,
  /^\s*insert\s+into\s/,
  /^\s*update\s+\S+\s+(?:(?:as\s+)?\w+\s+)?set(?:\s|$)/,
  /^\s*delete\s+from\s/,
  /^\s*with\s+(?:recursive\s+)?\w+(?:\s*\([^)]*\))?\s+as\s+(?:(?:not\s+)?materialized\s*)?\(/,
];

export function sqlProblems(path: string, scan: Scan): readonly Problem[] {
  if (!isIn(path, "src") || mayHoldSql(path)) return [];
  return scan.literals
    .filter(({ text }) => isStatement(text))
    .map(({ line }) => ({
      path,
      line,
      rule: "sql-place",
      message: "this looks like SQL outside of queries.ts",
      fix: "move the statement into the feature's queries.ts, as a function with a name",
    }));
}

/** SQL is all lower or all upper case; a sentence that starts with "Select" is neither. */
function isStatement(text: string): boolean {
  const plain = text.replace(/\\[nt]/g, " ");
  const statement = /^\s*[A-Z]{4}/.test(plain) ? plain.toLowerCase() : plain;
  return STATEMENTS.some((start) => start.test(statement));
}

function mayHoldSql(path: string): boolean {
  if (isTest(path) || path.endsWith("/queries.ts")) return true;
  return isIn(path, "src/platform/db", "src/platform/jobs", "src/platform/outbox");
}
