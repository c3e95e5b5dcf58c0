import { isCode, isIn, isTest, lineAt, type Offence, type RepoFile, type Rule } from "./offence.ts";
import type { Scan } from "./scan.ts";

const LONGEST_FILE = 300;

const LEFT_OUT = {
  problem: "this leaves tests out of the run",
  mend: "run them all: finish the test or delete it",
};

/** Each looks at the code with comments and literals blanked, so that words in a text are no offence. */
const PATTERNS: readonly {
  readonly rule: Rule;
  readonly pattern: RegExp;
  readonly where: (path: string) => boolean;
  readonly problem: string;
  readonly mend: string;
}[] = [
  {
    rule: "clock",
    pattern:
      /\bDate\.now\b|\bnew\s+Date\b\s*(?:\(\s*\)|(?![\s(]))|\bperformance\.now\b|\bprocess\.hrtime\b|\bTemporal\.Now\b/g,
    where: (path) => isIn(path, "src/kernel", "src/features") && !isTest(path),
    problem: "this reads the machine's clock",
    mend: "take the time as an argument; it comes from the clock of the world, which the sandbox can move",
  },
  {
    rule: "default-export",
    pattern: /\bexport\s+default\b|\bexport\s*\{[^}]*\bas\s+default\b/g,
    where: isCode,
    problem: "a default export has no name of its own",
    mend: "export it by its name",
  },
  {
    rule: "export-all",
    pattern: /\bexport\s+(?:type\s+)?\*/g,
    where: isCode,
    problem: "`export *` hides what the door lets through",
    mend: "list the names",
  },
  {
    rule: "enum",
    pattern: /\benum\s+[A-Za-z_$][\w$]*\s*\{/g,
    where: isCode,
    problem: "an enum is no plain TypeScript: Node's type stripping refuses it",
    mend: "use a union of literals, or `as const` on an array or object",
  },
  {
    rule: "unfinished",
    pattern: /\.only\s*\(|\b(?:test|it|describe|suite)\.(?:skip|todo)\b/g,
    where: isDelivered,
    ...LEFT_OUT,
  },
  {
    rule: "unfinished",
    pattern: /\b(?:only|skip|todo):\s*true\b/g,
    where: (path) => isDelivered(path) && isTest(path),
    ...LEFT_OUT,
  },
];

export function codeOffences(file: RepoFile, scan: Scan): readonly Offence[] {
  const { path } = file;
  const offences: Offence[] = [];
  for (const { rule, pattern, where, problem, mend } of PATTERNS) {
    if (!where(path)) continue;
    for (const match of scan.code.matchAll(pattern)) {
      offences.push({ path, line: lineAt(scan.code, match.index), rule, problem, mend });
    }
  }
  if (!isDelivered(path)) return offences;
  for (const comment of scan.comments) offences.push(...notes(path, comment.line, comment.text));
  return offences;
}

/** What needs no scanner. Code is asked for its notes above, where a text such as a mask of X is no note. */
export function textOffences({ path, text }: RepoFile): readonly Offence[] {
  const lines = text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
  const offences: Offence[] = [];
  if (isIn(path, "src", "browser") && lines > LONGEST_FILE) {
    const problem = `this file has ${lines} lines, more than ${LONGEST_FILE}`;
    offences.push({
      path,
      line: LONGEST_FILE + 1,
      rule: "length",
      problem,
      mend: "split it by verb or by rule",
    });
  }
  if (isDelivered(path) && !isCode(path)) offences.push(...notes(path, 1, text));
  return offences;
}

function notes(path: string, firstLine: number, text: string): readonly Offence[] {
  return [...text.matchAll(/(?<![\w-])(?:TODO|FIXME|XXX)(?![\w-])/g)].map((match) => ({
    path,
    line: firstLine + lineAt(text, match.index) - 1,
    rule: "unfinished",
    problem: `a ${match[0]} was left here`,
    mend: "do it now, or write down the limit as a sentence that tells the reader what holds",
  }));
}

function isDelivered(path: string): boolean {
  return isIn(path, "src", "browser", "tests", "packages", "examples");
}
