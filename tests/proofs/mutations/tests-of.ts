import { existsSync } from "node:fs";
import { dirname } from "node:path";

/** The tests that judge a file's mutants. `isUnit`: they need no database and take a second. */
export type Judges = { readonly files: readonly string[]; readonly isUnit: boolean };

const CODES = "src/kernel/codes";

/** Files whose unit tests are elsewhere. */
const UNIT: Readonly<Record<string, string>> = {
  [CODES]: `${CODES}/catalogue.test.ts`,
  "src/kernel/refusal.ts": `${CODES}/catalogue.test.ts`,
};

/** Rules of a request's fields: tests over HTTP judge them, in some seconds each. */
const SPEC: Readonly<Record<string, readonly string[]>> = {
  "src/features/checkout/card-rules.ts": ["checkout/card-rules", "hosted-page/form-posts"],
  "src/features/hosted-pages/hosted-page.ts": ["payment-requests/hosted-page-fields"],
  "src/features/hosted-pages/page-rules.ts": ["payment-requests/hosted-page-fields", "hosted-page/theme"],
  "src/features/merchants/account-rules.ts": ["accounts/account"],
  "src/features/payment-requests/capability-rules.ts": ["payment-requests/capabilities"],
  "src/features/payment-requests/request-rules.ts": [
    "payment-requests/flows",
    "payment-requests/customer-and-agreement",
    "payment-requests/expiry-limits",
  ],
  "src/features/transactions/transaction.ts": ["transactions/captures"],
  "src/features/webhooks/url-rules.ts": ["webhooks/subscriptions"],
  "src/features/webhooks/webhook.ts": ["webhooks/subscriptions"],
  "src/kernel/billing-address.ts": ["checkout/billing-address"],
  "src/kernel/card-type.ts": ["accounts/account"],
};

/** Undefined if no test is named for the file. */
export function judgesOf(file: string): Judges | undefined {
  const beside = file.replace(/\.ts$/, ".test.ts");
  const unit = existsSync(beside) ? beside : (UNIT[file] ?? UNIT[dirname(file)]);
  if (unit !== undefined) return { files: [unit], isUnit: true };
  const spec = SPEC[file];
  return spec && { files: spec.map((name) => `tests/spec/${name}.test.ts`), isUnit: false };
}
