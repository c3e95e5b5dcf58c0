import { appendFileSync } from "node:fs";

/** `npm run proof -- --long`: the sizes that a release is proven with. */
export const IS_LONG = process.env["TIDEGATE_PROOF_LONG"] === "1";

/** Repeats or varies a run. */
export const SEED = Number(process.env["TIDEGATE_TEST_SEED"] ?? 20_261_116);

export type ProofReport = {
  readonly proof: string;
  readonly seed: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly verdict: "held" | "failed" | "skipped";
  readonly reason?: string;
};

/** One line of JSON in the file that `TIDEGATE_PROOF_REPORT` names, for the published page. */
export function reportProof(report: ProofReport): void {
  const file = process.env["TIDEGATE_PROOF_REPORT"];
  if (file !== undefined && file !== "") appendFileSync(file, `${JSON.stringify(report)}\n`);
}

/** Random numbers from 0 to 1 that are the same in every run (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
