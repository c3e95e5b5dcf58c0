import type { Digests } from "./digests.ts";
import type { Known, Recorded } from "./record.ts";

type Run = Pick<Recorded, "name" | "product" | "proof">;

const isOfThisProduct = (run: Run, { product }: Digests): boolean => run.product === product;

/** Nothing is known of a run from before digests were recorded. */
export const isProofChanged = (run: Run, { proofs }: Digests): boolean =>
  run.proof !== undefined && run.proof !== proofs[run.name];

/** It shows what it shows about this very code; an earlier run is about other code, or of a proof that has changed since. */
export const isOfThisCode = (run: Run, digests: Digests): boolean =>
  isOfThisProduct(run, digests) && run.proof === digests.proofs[run.name];

export function codeInWords(run: Run, digests: Digests): string {
  if (run.product === undefined) return "earlier, without a digest";
  return [
    isOfThisProduct(run, digests) ? "this" : "earlier",
    ...(isProofChanged(run, digests) ? ["proof changed since"] : []),
  ].join(", ");
}

/** Those that `--continue` runs: without a long run of this code that passed. A test has one size. */
export function unfinished<Proof extends Known>(
  proofs: readonly Proof[],
  runs: readonly Recorded[],
  digests: Digests,
): readonly Proof[] {
  return proofs.filter(({ name, hasLongSize }) => {
    const run = runs.find((one) => one.name === name);
    const isDone = run?.verdict === "passed" && (run.long || !hasLongSize) && isOfThisCode(run, digests);
    return !isDone;
  });
}

/** By the seconds on record, so that no lane is left with a long one at the end. What never ran may be the longest. */
export function longestFirst<Proof extends Known>(
  proofs: readonly Proof[],
  runs: readonly Recorded[],
): readonly Proof[] {
  const secondsOf = ({ name }: Known) => runs.find((run) => run.name === name)?.seconds ?? Number.MAX_VALUE;
  return proofs.toSorted((one, other) => secondsOf(other) - secondsOf(one));
}
