import { existsSync } from "node:fs";
import { dirname } from "node:path";
import type { Mutant } from "./mutate.ts";

/** The tests that judge a mutant. `isUnit`: they need no database and take a second. */
export type Judges = { readonly files: readonly string[]; readonly isUnit: boolean };

const CATALOGUE_TEST = "src/kernel/codes/catalogue.test.ts";
const LANGUAGES_TEST = "src/kernel/languages/languages.test.ts";
const NEW_REQUEST_TEST = "src/features/payment-requests/new-request.test.ts";

/** Unit tests that are not beside their file, or not only there: of a file, or of each file of a folder. */
const UNIT: Readonly<Record<string, readonly string[]>> = {
  "src/kernel/codes": [CATALOGUE_TEST],
  "src/kernel/refusal.ts": [CATALOGUE_TEST],
  "src/kernel/languages": [LANGUAGES_TEST],
  "src/kernel/wallets.ts": ["src/features/payment-instruments/payment-instrument.test.ts"],
  "src/features/deliveries/sending": [
    "src/features/deliveries/sending/lanes.test.ts",
    "src/features/deliveries/sending/sending-state.test.ts",
  ],
  "src/features/merchants/keys/api-key.ts": [
    "src/features/merchants/keys/api-key.test.ts",
    "src/features/merchants/keys/key-limits.test.ts",
  ],
  "src/features/payment-instruments/bank-names.ts": [
    "src/features/payment-instruments/bank-account.test.ts",
    "src/features/payment-instruments/bank-names.test.ts",
  ],
  "src/features/payment-requests/payid.ts": [NEW_REQUEST_TEST],
  "src/features/payment-requests/rails.ts": [NEW_REQUEST_TEST],
  "src/features/transactions/transaction.ts": ["src/features/transactions/transaction-rules.test.ts"],
};

/** Names every transition, also of tables without a unit test. */
const TRANSITIONS_TEST = "tests/spec/transitions.test.ts";

/** Rules that ask the database: tests over HTTP judge them, in some seconds each. */
const SPEC: Readonly<Record<string, string>> = {
  "src/features/webhooks/url-rules.ts": "tests/spec/webhooks/subscriptions.test.ts",
};

/** Undefined if no test is named for the mutant's file. */
export function judgesOf({ file, kind }: Pick<Mutant, "file" | "kind">): Judges | undefined {
  const unit = UNIT[file] ?? besideOf(file) ?? UNIT[dirname(file)] ?? [];
  const files = kind === "transition" ? [...unit, TRANSITIONS_TEST] : unit;
  if (files.length > 0) return { files, isUnit: true };
  const spec = SPEC[file];
  return spec === undefined ? undefined : { files: [spec], isUnit: false };
}

function besideOf(file: string): readonly string[] | undefined {
  const beside = file.replace(/\.ts$/, ".test.ts");
  return existsSync(beside) ? [beside] : undefined;
}
