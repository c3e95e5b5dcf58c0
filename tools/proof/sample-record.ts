import type { ProofRecord, Recorded } from "./record.ts";

/** A long run of this code that passed, for tests. */
export const recorded = (name: string, change: Partial<Recorded> = {}): Recorded => ({
  name,
  about: `about ${name}`,
  invariants: ["I1"],
  broken: [],
  counts: {},
  most: {},
  verdict: "passed",
  skipped: [],
  seconds: 60,
  long: true,
  seed: 7,
  startedAt: "2026-11-16T09:00:00.000Z",
  machine: { cores: 2, memoryGb: 8, cpu: "x", node: "24", postgres: "18", commit: "aaa" },
  product: "this product",
  proof: "this proof",
  ...change,
});

/** The record of a checkout in which all of these runs would be of this code. */
export const recordOf = (runs: readonly Recorded[]): ProofRecord => ({
  product: "this product",
  proofs: Object.fromEntries(runs.map(({ name }) => [name, "this proof"])),
  runs,
});
