import { isIn, isTest, type Problem, type RepoFile } from "./problem.ts";
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

/** Every other table belongs to a feature, which passes a query or the names of its columns in. */
const PLATFORM_TABLES: readonly string[] = [
  "audit_head",
  "audit_log",
  "cache_versions",
  "distribution",
  "events",
  "idempotency_keys",
  "wrong_api_keys",
  "metadata_pairs",
  "jobs",
  "nodes",
  "schema_migrations",
  "sealing_keys",
  "vault_keys",
  "vault_master",
  "vault_secrets",
];

const TABLE_USE = /\b(?:from|join|into|update)\s+(\w+)/gi;

export function featureTables(files: readonly RepoFile[]): ReadonlySet<string> {
  const schema = files.find(({ path }) => path === "migrations/schema.sql")?.text ?? "";
  const tables = [...schema.matchAll(/^create table (\w+)/gm)].map(([, table = ""]) => table);
  return new Set(tables.filter((table) => !PLATFORM_TABLES.includes(table)));
}

/** The platform knows no feature, so it reads and writes none of their tables. */
export function tableProblems(path: string, scan: Scan, tables: ReadonlySet<string>): readonly Problem[] {
  if (!isIn(path, "src/platform") || isTest(path)) return [];
  return scan.literals.flatMap(({ line, text }) =>
    [...text.matchAll(TABLE_USE)]
      .map(([, table = ""]) => table.toLowerCase())
      .filter((table) => tables.has(table))
      .map((table) => ({
        path,
        line,
        rule: "feature-table",
        message: `the platform uses ${table}, a table of a feature`,
        fix: "move the statement into the feature, or let the feature pass the names of table and columns in",
      })),
  );
}

function mayHoldSql(path: string): boolean {
  if (isTest(path) || path.endsWith("/queries.ts")) return true;
  return isIn(path, "src/platform/db", "src/platform/jobs", "src/platform/outbox");
}
