import { existsSync } from "node:fs";
import { dirname } from "node:path";

/** The tests that judge a file's mutants. `isUnit`: they need no database and take a second. */
export type Judges = { readonly files: readonly string[]; readonly isUnit: boolean };

const CODES = "src/kernel/codes";

/** Files whose unit tests are elsewhere. */
const UNIT: Readonly<Record<string, string>> = {
  [CODES]: `${CODES}/catalogue.test.ts`,
  "src/kernel/refusal.ts": `${CODES}/catalogue.test.ts`,
  "src/features/transactions/transaction.ts": "src/features/transactions/transaction-rules.test.ts",
};

/** Rules that ask the database: tests over HTTP judge them, in some seconds each. */
const SPEC: Readonly<Record<string, readonly string[]>> = {
  "src/features/webhooks/url-rules.ts": ["webhooks/subscriptions"],
};

/** Undefined if no test is named for the file. */
export function judgesOf(file: string): Judges | undefined {
  const beside = file.replace(/\.ts$/, ".test.ts");
  const unit = existsSync(beside) ? beside : (UNIT[file] ?? UNIT[dirname(file)]);
  if (unit !== undefined) return { files: [unit], isUnit: true };
  const spec = SPEC[file];
  return spec && { files: spec.map((name) => `tests/spec/${name}.test.ts`), isUnit: false };
}
