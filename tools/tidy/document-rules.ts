import { posix } from "node:path";
import { isIn, lineAt, type Problem, type RepoFile } from "./problem.ts";

const LONGEST_DECISION = 40;

export function migrationProblems(files: readonly RepoFile[]): readonly Problem[] {
  const problems: Problem[] = [];
  const migrations = files
    .filter(
      ({ path }) => isIn(path, "migrations") && path.endsWith(".sql") && path !== "migrations/schema.sql",
    )
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
  let expected = 1;
  for (const { path } of migrations) {
    const number = /^migrations\/(\d{4})_[a-z0-9]+(?:_[a-z0-9]+)*\.sql$/.exec(path)?.[1];
    if (number === undefined) {
      const message = "the name of a migration is four digits, an underscore and words in snake_case";
      problems.push({
        path,
        line: 1,
        rule: "migration-name",
        message,
        fix: "rename it, such as 0001_merchants.sql",
      });
      continue;
    }
    if (Number(number) !== expected) {
      const message = `this is number ${number}, but ${String(expected).padStart(4, "0")} should come here`;
      const fix = "number migrations one after the other, each number once";
      problems.push({ path, line: 1, rule: "migration-gap", message, fix });
    }
    expected = Number(number) + 1;
  }
  return problems;
}

export function decisionProblems(files: readonly RepoFile[]): readonly Problem[] {
  const problems: Problem[] = [];
  const decisions = files.filter(({ path }) => /^docs\/decisions\/(?!README).*\.md$/.test(path));
  const holders = new Map<string, string>();
  for (const { path, text } of decisions) {
    const lines = text.trimEnd().split("\n").length;
    if (lines > LONGEST_DECISION) {
      const message = `a decision of ${lines} lines is not read; ${LONGEST_DECISION} are enough`;
      problems.push({
        path,
        line: LONGEST_DECISION + 1,
        rule: "decision-length",
        message,
        fix: "say it shorter",
      });
    }
    const number = /^docs\/decisions\/(\d{4})-[a-z0-9-]+\.md$/.exec(path)?.[1];
    const holder = number === undefined ? undefined : holders.get(number);
    if (number === undefined || holder !== undefined) {
      const message =
        holder === undefined ? "this decision has no number" : `${holder} has this number already`;
      const fix = "name it by the next free number, such as 0007-why-postgres.md";
      problems.push({ path, line: 1, rule: "decision-number", message, fix });
    } else {
      holders.set(number, path);
    }
  }
  const manifest = files.find(({ path }) => path === "package.json");
  if (manifest === undefined) return problems;
  const { dependencies = {} } = JSON.parse(manifest.text) as { dependencies?: Record<string, string> };
  for (const name of Object.keys(dependencies)) {
    if (decisions.some(({ text }) => namesPackage(text, name))) continue;
    problems.push({
      path: "package.json",
      line: lineAt(manifest.text, manifest.text.indexOf(`"${name}":`)),
      rule: "dependency-without-decision",
      message: `no decision says why we depend on ${name}`,
      fix: "name it in a file of docs/decisions, with what it saves us and what it costs",
    });
  }
  return problems;
}

function namesPackage(text: string, name: string): boolean {
  const escaped = name.replace(/[.\\+*?^$()[\]{}|]/g, "\\$&");
  return new RegExp(`(?<![\\w@/.-])${escaped}(?![\\w/-])`).test(text);
}

const LINK = /\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)|^\s*\[[^\]]+\]:\s*(\S+)|\b(?:src|href)="([^"]+)"/gm;

/** Every relative link of a page leads to a file or folder of the repository. */
export function linkProblems(files: readonly RepoFile[]): readonly Problem[] {
  const known = new Set<string>();
  for (const { path } of files) {
    for (let at = path; at !== "."; at = posix.dirname(at)) known.add(at);
  }
  const problems: Problem[] = [];
  for (const { path, text } of files) {
    if (!path.endsWith(".md")) continue;
    const prose = text.replace(/^(```|~~~)[\s\S]*?^\1|`[^`\n]*`/gm, (code) => code.replace(/[^\n]/g, " "));
    for (const match of prose.matchAll(LINK)) {
      const link = (match[1] ?? match[2] ?? match[3] ?? "").replace(/#.*$/, "");
      if (link === "" || /^[a-z][a-z0-9+.-]*:/i.test(link)) continue;
      const from = link.startsWith("/") ? "" : posix.dirname(path);
      const target = posix.join(from, link.replaceAll("%20", " ")).replace(/^\/|\/$/g, "");
      if (known.has(target) || target === "." || target === "") continue;
      const message = `the link to ${link} leads nowhere`;
      problems.push({
        path,
        line: lineAt(prose, match.index),
        rule: "dead-link",
        message,
        fix: "correct or drop the link",
      });
    }
  }
  return problems;
}
