import { isIn, isTest, lineAt, type Problem, type Rule } from "./problem.ts";
import type { Scan } from "./scan.ts";

/** Each searches the code with comments and literals blanked, so that words in a text are no problem. */
const PATTERNS: readonly {
  readonly rule: Rule;
  readonly pattern: RegExp;
  readonly where: (path: string) => boolean;
  readonly message: string;
  readonly fix: string;
}[] = [
  {
    rule: "clock",
    pattern:
      /\bDate\.now\b|\bnew\s+Date\b\s*(?:\(\s*\)|(?![\s(]))|\bperformance\.now\b|\bprocess\.hrtime\b|\bTemporal\.Now\b/g,
    where: (path) =>
      isIn(path, "src/kernel", "src/features", "src/dashboard") &&
      !isIn(path, "src/dashboard/browser") &&
      !isTest(path),
    message: "this reads the machine's clock",
    fix: "take the time as an argument; it comes from the clock of the context, which the sandbox can move",
  },
  {
    rule: "secret-comparison",
    pattern: /\.equals\s*\(|\bBuffer\.compare\b/g,
    // Images and public keys are no secrets.
    where: (path) =>
      isIn(path, "src") &&
      !isIn(path, "src/platform/images", "src/connectors/wallet-tokens") &&
      !isTest(path),
    message: "this compares bytes in a time that depends on them",
    fix: "use sameBytes of src/platform/crypto/secrets.ts",
  },
  {
    // Biome finds `test.only` and `test.skip`, but not the options of node:test.
    rule: "skipped-test",
    pattern: /\b(?:only|skip|todo):\s*true\b|\b(?:test|it|describe|suite)\.todo\b/g,
    where: isTest,
    message: "this leaves tests out of the run",
    fix: "run them all: finish the test or delete it",
  },
];

/** Of two doc comments in a row, the first describes nothing: what it described was moved or deleted. */
export function commentProblems(path: string, { comments }: Scan): readonly Problem[] {
  const docs = comments.filter(({ text }) => text.startsWith("/**"));
  const ends = new Set(docs.map(({ line, text }) => line + text.split("\n").length - 1));
  return docs
    .filter(({ line }) => ends.has(line - 1))
    .map(({ line }) => ({
      path,
      line,
      rule: "stray-comment",
      message: "the comment before this one describes nothing",
      fix: "move it to what it describes, or delete it",
    }));
}

export function codeProblems(path: string, scan: Scan): readonly Problem[] {
  return PATTERNS.filter(({ where }) => where(path)).flatMap(({ rule, pattern, message, fix }) =>
    [...scan.code.matchAll(pattern)].map((match) => ({
      path,
      line: lineAt(scan.code, match.index),
      rule,
      message,
      fix,
    })),
  );
}
