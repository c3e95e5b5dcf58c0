import type { Invariant } from "../../tests/support/proof.ts";
import { INVARIANTS } from "./invariants.ts";
import type { Finding } from "./run-proof.ts";

export type Verdict = {
  readonly id: Invariant;
  readonly text: string;
  readonly verdict: "holds" | "BROKEN" | "IN DOUBT" | "not shown";
  /** The proofs that showed it, or that failed. */
  readonly by: readonly string[];
};

type Shown = Pick<Finding, "name" | "invariants" | "broken" | "verdict">;

/** An invariant holds if a proof showed it and none that declares it failed; it is broken if a failed one names it. */
export function judge(findings: readonly Shown[]): readonly Verdict[] {
  return (Object.entries(INVARIANTS) as [Invariant, string][]).map(([id, text]) => {
    const about = findings.filter(({ invariants }) => invariants.includes(id));
    const failed = about.filter(({ verdict }) => verdict === "FAILED");
    const passed = about.filter(({ verdict }) => verdict === "passed");
    const by = (failed.length > 0 ? failed : passed).map(({ name }) => name);
    if (failed.some(({ broken }) => broken.includes(id))) return { id, text, verdict: "BROKEN", by };
    if (failed.length > 0) return { id, text, verdict: "IN DOUBT", by };
    return { id, text, verdict: passed.length > 0 ? "holds" : "not shown", by };
  });
}

/** All counts of a run, added up by name. */
export function totals(findings: readonly Pick<Finding, "counts">[]): Readonly<Record<string, number>> {
  const sums: Record<string, number> = {};
  for (const { counts } of findings)
    for (const [what, count] of Object.entries(counts)) sums[what] = (sums[what] ?? 0) + count;
  return sums;
}

/** `2,000 kills, 1 restore`. */
export function inWords(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([what, count]) => `${count.toLocaleString("en")} ${count === 1 ? singular(what) : what}`)
    .join(", ");
}

/** Counts have plural names; their first plural is what is counted: `migrations crossed`, `rounds of deleting`. */
function singular(what: string): string {
  const words = what.split(" ");
  const counted = words.findIndex((word) => /[^s']s\b/.test(word));
  return words
    .map((word, at) => (at === counted ? word.replace(/ies\b/, "y").replace(/s\b/, "") : word))
    .join(" ");
}
