import { readFile, writeFile } from "node:fs/promises";
import type { Digests } from "./digests.ts";
import type { ProofFile } from "./find-proofs.ts";
import type { Machine } from "./machine.ts";
import type { Finding } from "./run-proof.ts";

/** What the page publishes about one proof: its last run, with all that is needed to repeat it. */
export type Recorded = Omit<Finding, "output"> & {
  readonly long: boolean;
  readonly seed: number;
  readonly startedAt: string;
  readonly machine: Machine;
  /** Digests of what ran. Without them the run is from before they were recorded. */
  readonly product?: string;
  readonly proof?: string;
};

/** The last run of each proof, and what the checkout was when the page was written: the page says which runs are about it. */
export type ProofRecord = Digests & { readonly runs: readonly Recorded[] };

/** What the record and the page need to know of each proof there is. */
export type Known = Pick<ProofFile, "name" | "hasLongSize">;

/** The page is made from it. A run of some proofs renews theirs and keeps the others'. */
const RECORD = "docs/generated/proof.json";

export async function readRecord(): Promise<ProofRecord> {
  const text = await readFile(RECORD, "utf8").catch(() => undefined);
  return text === undefined ? { product: "", proofs: {}, runs: [] } : (JSON.parse(text) as ProofRecord);
}

export async function writeRecord(record: ProofRecord): Promise<void> {
  await writeFile(RECORD, `${JSON.stringify(record, null, 2)}\n`);
}

/**
 * What was known and what a run found, in the order of the proofs there are. What a long run has shown is replaced by
 * another long run, or by a failure; a test has one size, so that any run replaces it. A machine that cannot run a proof
 * replaces nothing: neither what passed elsewhere nor what failed.
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
      (before !== undefined && fresh?.verdict === "skipped");
    return (isKept ? before : (fresh ?? before)) ?? [];
  });
}
