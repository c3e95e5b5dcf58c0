import { isIn, type Problem, type RepoFile } from "./problem.ts";

/** Where the rule holds. A folder joins when its words are plain. */
const CHECKED: readonly string[] = [
  "README.md",
  "docs",
  "packages",
  "src/cli",
  "src/connectors",
  "src/dashboard",
  "src/docs-site",
  "src/features/customers",
  "src/features/deliveries",
  "src/features/events",
  "src/features/hosted-pages",
  "src/features/merchants",
  "src/features/payment-instruments",
  "src/features/payouts",
  "src/features/sandbox",
  "src/features/tokens",
  "src/features/wallet-domains",
  "src/features/webhooks",
  "src/hosted-page",
  "src/kernel",
  "src/platform",
];

/** Words that hide who acts. The account `nobody` of a Unix system is quoted, or ends in a colon. */
const WORDS = /\b(?:[Ww]hoever|[Ss]omebody|[Mm]end(?:s|ed)?|[Hh]ears)\b|(?<![`"'^])\b[Nn]obody\b(?![`"':])/g;

export function wordProblems({ path, text }: RepoFile): readonly Problem[] {
  if (!CHECKED.includes(path) && !isIn(path, ...CHECKED)) return [];
  return text.split("\n").flatMap((line, index) =>
    [...line.matchAll(WORDS)].map(([word]) => ({
      path,
      line: index + 1,
      rule: "plain-words" as const,
      message: `"${word}" is not a word of this project`,
      fix: "name the subject that acts: merchant, payer, operator, caller, node; repair is fix, to hear is to receive",
    })),
  );
}
