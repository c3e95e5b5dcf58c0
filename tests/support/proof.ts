import { appendFileSync } from "node:fs";

/**
 * The one place where a proof (a file of tests/proofs) reads its size and reports what it did. `npm run proof` sets these
 * variables and gathers the reports; without them a proof is short and reports to no file.
 */
const SIZE = "TIDEGATE_PROOF";
const SEED = "TIDEGATE_PROOF_SEED";
/** Sizes between the short and the long run, and choices of a part; a run with one of them is not published. */
const OWN_SIZES = [
  // Trials of each race.
  "TIDEGATE_PROOF_TRIALS",
  "TIDEGATE_MODEL_SEQUENCES",
  "TIDEGATE_FUZZ_REQUESTS",
  "TIDEGATE_MUTATION_MINUTES",
  // The planted bugs whose names match.
  "TIDEGATE_PLANTED_BUGS",
] as const;
/** The file that takes the reports of one proof, a line of JSON each. */
const REPORT = "TIDEGATE_PROOF_REPORT";

/** `npm run proof -- --long`. */
export const isLong = process.env[SIZE] === "long";

/** The same seed makes the same choices. What the machine's timing decides differs between runs. */
export const proofSeed = Number(process.env[SEED] ?? "20261115");

/** How many kills, trials or payments: few for the short run, which takes minutes, many for the long one. */
export const sized = (short: number, long: number): number => (isLong ? long : short);

/** As `sized`, unless this variable sets another number. */
export const sizedBy = (variable: (typeof OWN_SIZES)[number], short: number, long: number): number =>
  Number(process.env[variable] ?? sized(short, long));

/** The variables that give this run a size of its own. */
export const ownSizes = (environment: Readonly<Record<string, string | undefined>> = process.env) =>
  OWN_SIZES.filter((variable) => environment[variable] !== undefined);

/** An id of the list in PROOF, such as `I21`. */
export type Invariant = `I${number}`;

/** What the trials of one pair of conflicting verbs came to. */
export type PairReport = {
  readonly pair: string;
  readonly trials: number;
  readonly calls: number;
  /** The share of trials with the rarest declared outcome, in percent; absent if only one outcome is right. */
  readonly rarest?: number;
};

/** A line of a report. Counts of several lines add up; of `most`, the highest stays. */
export type ProofReport =
  | { readonly about: string; readonly invariants: readonly Invariant[] }
  | { readonly counts: Readonly<Record<string, number>> }
  | { readonly most: Readonly<Record<string, number>> }
  | { readonly pairs: readonly PairReport[] }
  | { readonly skipped: string };

export type Proof = {
  /** Adds what was done: `{ kills: 20, payments: 340 }`. */
  readonly count: (counts: Readonly<Record<string, number>>) => void;
  /** Notes what was measured; the highest value is published: `{ "seconds to settle": 31 }`. */
  readonly most: (measured: Readonly<Record<string, number>>) => void;
  /** Notes what the trials of one pair of conflicting verbs came to. */
  readonly pair: (report: PairReport) => void;
  /** Says why this machine cannot run the proof; the test itself is skipped with the same reason. */
  readonly skip: (reason: string) => string;
};

/** Declares what a proof shows, before it begins: if it fails, these invariants are reported as broken. */
export function declareProof(about: string, invariants: readonly Invariant[]): Proof {
  write({ about, invariants });
  return {
    count: (counts) => write({ counts }),
    most: (most) => write({ most }),
    pair: (report) => write({ pairs: [report] }),
    skip: (skipped) => {
      write({ skipped });
      return skipped;
    },
  };
}

function write(report: ProofReport): void {
  const file = process.env[REPORT];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(report)}\n`);
}
