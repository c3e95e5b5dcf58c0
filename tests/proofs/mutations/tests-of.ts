import { existsSync } from "node:fs";
import { dirname } from "node:path";
import type { Mutant } from "./mutate.ts";

/** The tests that judge a mutant. `isUnit`: they need no database and take a second. */
export type Judges = { readonly files: readonly string[]; readonly isUnit: boolean };

const CATALOGUE_TEST = "src/kernel/codes/catalogue.test.ts";
const LANGUAGES_TESTS = ["src/kernel/languages/languages.test.ts", "tests/spec/languages/speech.test.ts"];
const KEY_RULES_TEST = "tests/spec/accounts/key-rules.test.ts";
const NEW_REQUEST_TEST = "tests/spec/payment-requests/new-request.test.ts";

/** Unit tests that are not beside their file, or not only there: of a file, or of each file of a folder. */
const UNIT: Readonly<Record<string, readonly string[]>> = {
  "src/kernel/codes": [CATALOGUE_TEST],
  "src/kernel/refusal.ts": [CATALOGUE_TEST],
  "src/kernel/languages": LANGUAGES_TESTS,
  "src/kernel/languages/languages.ts": LANGUAGES_TESTS,
  "src/kernel/languages/language-tag.ts": ["tests/spec/languages/language-tag.test.ts"],
  "src/kernel/wallets.ts": ["src/features/payment-instruments/payment-instrument.test.ts"],
  "src/features/acquirer-accounts/route-payment.ts": ["tests/spec/acquirers/route-payment.test.ts"],
  "src/features/acquirer-reconciliation/difference.ts": ["tests/spec/acquirers/difference.test.ts"],
  "src/features/card-testing/seen-codes.ts": ["tests/spec/checkout/seen-codes.test.ts"],
  "src/features/charges/new-charge.ts": ["tests/spec/charges/new-charge.test.ts"],
  "src/features/checkout/billing-address.ts": ["tests/spec/checkout/address-rules.test.ts"],
  "src/features/checkout/refuse-ended.ts": ["tests/spec/checkout/ended-requests.test.ts"],
  "src/features/checkout/storing.ts": ["tests/spec/checkout/storing.test.ts"],
  "src/features/deliveries/sending": [
    "src/features/deliveries/sending/lanes.test.ts",
    "tests/spec/webhooks/sending-state.test.ts",
  ],
  "src/features/hosted-pages/page-address.ts": ["tests/spec/hosted-page/page-address.test.ts"],
  "src/features/merchants/keys": [KEY_RULES_TEST],
  "src/features/payment-instruments/bank-names.ts": [
    "src/features/payment-instruments/bank-account.test.ts",
    "tests/spec/payment-instruments/bank-names.test.ts",
  ],
  "src/features/payment-instruments/instrument-ids.ts": [
    "tests/spec/payment-instruments/vault-place.test.ts",
  ],
  "src/features/payment-requests/new-request.ts": [NEW_REQUEST_TEST],
  "src/features/payment-requests/payid.ts": [NEW_REQUEST_TEST],
  "src/features/payment-requests/rails.ts": [NEW_REQUEST_TEST],
  "src/features/receipts/receipt-mail.ts": ["tests/spec/receipts/receipt-mail.test.ts"],
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
