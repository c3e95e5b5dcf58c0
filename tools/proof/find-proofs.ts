import { globSync } from "node:fs";
import { basename } from "node:path";
import type { Invariant } from "../../tests/support/proof.ts";

export type ProofFile = {
  readonly name: string;
  readonly file: string;
  /** Of test files outside tests/proofs, which declare nothing themselves. */
  readonly invariants: readonly Invariant[];
};

/** Tests of `npm test` that show an invariant which no proof needs minutes for. */
const SHORT_TESTS: Readonly<Record<string, readonly Invariant[]>> = {
  "tests/spec/checkout/tokenising.test.ts": ["I14"],
  "tests/faults/vault-canary.test.ts": ["I15"],
  "src/platform/vault/vault.test.ts": ["I16"],
  "tests/spec/customers/customers.test.ts": ["I18"],
  "tests/spec/payment-instruments/instruments.test.ts": ["I18"],
  "tests/spec/checkout/price.test.ts": ["I19"],
  "tests/spec/checkout/any-input.test.ts": ["I20"],
  "tests/spec/acquirers/accounts.test.ts": ["I25", "I27"],
  "tests/faults/webhooks-at-scale.test.ts": ["I26"],
};

/** Every file of tests/proofs, then the short tests. */
export function findProofs(): readonly ProofFile[] {
  const proofs = globSync("tests/proofs/*.test.ts")
    .sort()
    .map((file) => ({ name: nameOf(file), file, invariants: [] }));
  const short = Object.entries(SHORT_TESTS).map(([file, invariants]) => ({
    name: nameOf(file),
    file,
    invariants,
  }));
  return [...proofs, ...short];
}

const nameOf = (file: string) => basename(file, ".test.ts");
