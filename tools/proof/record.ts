import { readFile, writeFile } from "node:fs/promises";
import type { ProofFile } from "./find-proofs.ts";
import type { Machine } from "./machine.ts";
import type { Finding } from "./run-proof.ts";

/** What the page publishes about one proof: its last run, with all that is needed to repeat it. */
export type Recorded = Omit<Finding, "output"> & {
  readonly long: boolean;
  readonly seed: number;
  readonly startedAt: string;
  readonly machine: Machine;
};

/** What the record and the page need to know of each proof there is. */
export type Known = Pick<ProofFile, "name" | "hasLongSize">;

/** The page is made from it. A run of some proofs renews theirs and keeps the others'. */
const RECORD = "docs/generated/proof.json";

export async function readRecord(): Promise<readonly Recorded[]> {
  const text = await readFile(RECORD, "utf8").catch(() => "[]");
  return JSON.parse(text) as readonly Recorded[];
}

export async function writeRecord(record: readonly Recorded[]): Promise<void> {
  await writeFile(RECORD, `${JSON.stringify(record, null, 2)}\n`);
}

/**
 * What was known and what a run found, in the order of the proofs there are. What a long run has shown is replaced by
 * another long run, or by a failure; a test has one size, so that any run replaces it. A machine that cannot run a proof
 * replaces nothing that passed elsewhere.
 */
export function mergeRecord(
  known: readonly Recorded[],
  found: readonly Recorded[],
  proofs: readonly Known[],
): readonly Recorded[] {
  return proofs.flatMap(({ name, hasLongSize }) => {
    const before = known.find((one) => one.name === name);
    const fresh = found.find((one) => one.name === name);
    const isKept =
      (hasLongSize && before?.long === true && fresh?.long === false && fresh.verdict !== "FAILED") ||
      (before?.verdict === "passed" && fresh?.verdict === "skipped");
    return (isKept ? before : (fresh ?? before)) ?? [];
  });
}
