import { isIn, type Problem, type RepoFile } from "./problem.ts";

/** A landed migration never changes, and this rule and its plants name the words. */
const UNCHECKED: readonly string[] = [
  "migrations",
  "package-lock.json",
  "tools/tidy/planted-documents.ts",
  "tools/tidy/word-rule.ts",
];

/** Words that hide who acts, or that the field has a word for. The account `nobody` is quoted, or ends in a colon. */
const WORDS =
  /\b(?:[Ww]hoever|[Ss]omebody|[Mm]end(?:s|ed)?|[Hh]ears|[Tt]old|[Ff]reshness)\b|(?<![A-Za-z])[Tt]roubles?\b|(?<![`"'^])\b[Nn]obody\b(?![`"':])/g;

export function wordProblems({ path, text }: RepoFile): readonly Problem[] {
  if (UNCHECKED.includes(path) || isIn(path, ...UNCHECKED)) return [];
  return text.split("\n").flatMap((line, index) =>
    [...line.matchAll(WORDS)].map(([word]) => ({
      path,
      line: index + 1,
      rule: "plain-words" as const,
      message: `"${word}" is not a word of this project`,
      fix: "name the subject that acts: merchant, payer, operator, caller, node; repair is fix, to hear is to receive, trouble is an error",
    })),
  );
}
