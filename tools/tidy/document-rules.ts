import { posix } from "node:path";
import { isIn, lineAt, type Offence, type RepoFile } from "./offence.ts";

const LONGEST_DECISION = 40;

export function migrationOffences(files: readonly RepoFile[]): readonly Offence[] {
  const offences: Offence[] = [];
  const migrations = files
    .filter(
      ({ path }) => isIn(path, "migrations") && path.endsWith(".sql") && path !== "migrations/schema.sql",
    )
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
  let expected = 1;
  for (const { path } of migrations) {
    const number = /^migrations\/(\d{4})_[a-z0-9]+(?:_[a-z0-9]+)*\.sql$/.exec(path)?.[1];
    if (number === undefined) {
      const problem = "the name of a migration is four digits, an underscore and words in snake_case";
      offences.push({
        path,
        line: 1,
        rule: "migration-name",
        problem,
        mend: "rename it, such as 0001_merchants.sql",
      });
      continue;
    }
    if (Number(number) !== expected) {
      const problem = `this is number ${number}, but ${String(expected).padStart(4, "0")} should come here`;
      const mend = "number migrations one after the other, each number once";
      offences.push({ path, line: 1, rule: "migration-gap", problem, mend });
    }
    expected = Number(number) + 1;
  }
  return offences;
}

export function decisionOffences(files: readonly RepoFile[]): readonly Offence[] {
  const offences: Offence[] = [];
  const decisions = files.filter(({ path }) => /^docs\/decisions\/(?!README).*\.md$/.test(path));
  const holders = new Map<string, string>();
  for (const { path, text } of decisions) {
    const lines = text.trimEnd().split("\n").length;
    if (lines > LONGEST_DECISION) {
      const problem = `a decision of ${lines} lines is not read; ${LONGEST_DECISION} are enough`;
      offences.push({
        path,
        line: LONGEST_DECISION + 1,
        rule: "decision-length",
        problem,
        mend: "say it shorter",
      });
    }
    const number = /^docs\/decisions\/(\d{4})-[a-z0-9-]+\.md$/.exec(path)?.[1];
    const holder = number === undefined ? undefined : holders.get(number);
    if (number === undefined || holder !== undefined) {
      const problem =
        holder === undefined ? "this decision has no number" : `${holder} has this number already`;
      const mend = "name it by the next free number, such as 0007-why-postgres.md";
      offences.push({ path, line: 1, rule: "decision-number", problem, mend });
    } else {
      holders.set(number, path);
    }
  }
  const manifest = files.find(({ path }) => path === "package.json");
  if (manifest === undefined) return offences;
  const { dependencies = {} } = JSON.parse(manifest.text) as { dependencies?: Record<string, string> };
  for (const name of Object.keys(dependencies)) {
    if (decisions.some(({ text }) => namesPackage(text, name))) continue;
    offences.push({
      path: "package.json",
      line: lineAt(manifest.text, manifest.text.indexOf(`"${name}":`)),
      rule: "dependency-without-decision",
      problem: `nobody wrote down why we depend on ${name}`,
      mend: "name it in a file of docs/decisions, with what it saves us and what it costs",
    });
  }
  return offences;
}

function namesPackage(text: string, name: string): boolean {
  const escaped = name.replace(/[.\\+*?^$()[\]{}|]/g, "\\$&");
  return new RegExp(`(?<![\\w@/.-])${escaped}(?![\\w/-])`).test(text);
}

const LINK = /\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)|^\s*\[[^\]]+\]:\s*(\S+)|\b(?:src|href)="([^"]+)"/gm;

/** Every relative link of a page leads to a file or folder of the repository. */
export function linkOffences(files: readonly RepoFile[]): readonly Offence[] {
  const known = new Set<string>();
  for (const { path } of files) {
    for (let at = path; at !== "."; at = posix.dirname(at)) known.add(at);
  }
  const offences: Offence[] = [];
  for (const { path, text } of files) {
    if (!path.endsWith(".md")) continue;
    const prose = text.replace(/^(```|~~~)[\s\S]*?^\1|`[^`\n]*`/gm, (code) => code.replace(/[^\n]/g, " "));
    for (const match of prose.matchAll(LINK)) {
      const link = (match[1] ?? match[2] ?? match[3] ?? "").replace(/#.*$/, "");
      if (link === "" || /^[a-z][a-z0-9+.-]*:/i.test(link)) continue;
      const from = link.startsWith("/") ? "" : posix.dirname(path);
      const target = posix.join(from, link.replaceAll("%20", " ")).replace(/^\/|\/$/g, "");
      if (known.has(target) || target === "." || target === "") continue;
      const problem = `the link to ${link} leads nowhere`;
      offences.push({
        path,
        line: lineAt(prose, match.index),
        rule: "dead-link",
        problem,
        mend: "mend or drop the link",
      });
    }
  }
  return offences;
}
