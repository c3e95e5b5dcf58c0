import { globSync, readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import type { Invariant } from "../../tests/support/proof.ts";

export type ProofFile = {
  readonly name: string;
  readonly file: string;
  /** Of test files outside tests/proofs, which declare nothing themselves. */
  readonly invariants: readonly Invariant[];
  /** Without it a long run is the same as a short one: it is published as a test. */
  readonly hasLongSize: boolean;
  /** With others like it: to load the gateway takes longer than most of them do. */
  readonly sharesProcess: boolean;
};

/** How a proof asks for its size. */
const LONG_SIZE = /\b(?:sized(?:By)?\(|isLong\b|testRaces\()/;

/** Tests of `npm test` that show an invariant which no proof needs minutes for. */
const SHORT_TESTS: Readonly<Record<string, readonly Invariant[]>> = {
  "tests/spec/checkout/tokenising.test.ts": ["I14"],
  "tests/faults/vault-canary.test.ts": ["I15"],
  "src/platform/vault/vault.test.ts": ["I16"],
  "tests/spec/customers/customers.test.ts": ["I18"],
  "tests/spec/payment-instruments/instruments.test.ts": ["I18"],
  "tests/spec/http/paths.test.ts": ["I18"],
  "tests/spec/accounts/events.test.ts": ["I18"],
  "tests/spec/transactions/lists.test.ts": ["I18"],
  "tests/spec/transactions/captures.test.ts": ["I18"],
  "tests/spec/transactions/refund-reads.test.ts": ["I18"],
  "tests/spec/disputes/disputes.test.ts": ["I18"],
  "tests/spec/payouts/payouts.test.ts": ["I18"],
  "tests/spec/webhooks/subscriptions.test.ts": ["I18"],
  "tests/spec/webhooks/event-log.test.ts": ["I18"],
  "tests/spec/checkout/saved-cards.test.ts": ["I18"],
  "tests/spec/dashboard/payments.test.ts": ["I18"],
  "tests/probes/probes.test.ts": ["I18"],
  "tests/spec/checkout/price.test.ts": ["I19"],
  "tests/spec/checkout/any-input.test.ts": ["I20"],
  "tests/spec/acquirers/accounts.test.ts": ["I25", "I27"],
  "tests/faults/webhooks-at-scale.test.ts": ["I26"],
  "tests/faults/jobs-at-scale.test.ts": ["I26"],
  "tests/faults/payouts-at-scale.test.ts": ["I26"],
};

/** As in `npm test`; the others among the short tests have a process of their own, or share one with their like. */
const SHARING = "tests/spec/";

/** Every file of tests/proofs, then the short tests. */
export function findProofs(): readonly ProofFile[] {
  const proofs = globSync("tests/proofs/*.test.ts").sort();
  return [...proofs, ...Object.keys(SHORT_TESTS)].map((file) => ({
    name: nameOf(file),
    file,
    invariants: SHORT_TESTS[file] ?? [],
    hasLongSize: LONG_SIZE.test(readFileSync(file, "utf8")),
    sharesProcess: file.startsWith(SHARING),
  }));
}

/** Tests of several nouns have the same file name; their folders differ. */
function nameOf(file: string): string {
  const name = basename(file, ".test.ts");
  const isShared = Object.keys(SHORT_TESTS).some(
    (other) => other !== file && basename(other, ".test.ts") === name,
  );
  return isShared ? `${basename(dirname(file))}-${name}` : name;
}
