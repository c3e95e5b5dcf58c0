import { isOfThisCode, isProofChanged } from "./code-of-run.ts";
import { judge, type Verdict } from "./judge.ts";
import type { Known, ProofRecord, Recorded } from "./record.ts";

/** A proof and its last run. */
export type Run = { readonly proof: Known; readonly run: Recorded | undefined };

export function isShownLong({ proof, run }: Run): boolean {
  return proof.hasLongSize && run?.long === true && run.verdict !== "skipped";
}

type VerdictByCode = Omit<Verdict, "verdict"> & {
  readonly verdict: Verdict["verdict"] | typeof HELD_EARLIER;
};

/** Of an invariant that only earlier runs have shown. */
const HELD_EARLIER = "held in earlier runs";

/** A failure counts until its proof passes, whatever code it is of; what passed counts for the code that ran. */
export function judgeByCode(record: ProofRecord): readonly VerdictByCode[] {
  const current = judge(record.runs.filter((run) => isOfThisCode(run, record)));
  return judge(record.runs).map((any, index) => {
    const now = current[index];
    if (any.verdict !== "holds" || now === undefined) return any;
    return now.verdict === "holds" ? now : { ...any, verdict: HELD_EARLIER };
  });
}

/** How many proofs ran with this very code, and which did not. */
export function codeFacts(record: ProofRecord, proofs: readonly Known[]): readonly (readonly string[])[] {
  const current = record.runs.filter((run) => run.verdict !== "skipped" && isOfThisCode(run, record));
  const changed = record.runs.filter((run) => isProofChanged(run, record));
  const other = record.runs.filter(({ product }) => product !== record.product);
  const unknown = other.filter(({ product }) => product === undefined).length;
  const without = unknown === 0 ? "" : ` (${unknown} without a digest)`;
  return [
    ["Runs of this code", `${current.length} of ${proofs.length} proofs`],
    [
      "Runs of earlier code",
      other.length === 0 ? "none" : `${other.length} proofs${without}: ${namesOf(other)}`,
    ],
    ...(changed.length === 0 ? [] : [["Proofs changed since their run", namesOf(changed)]]),
  ];
}

const namesOf = (runs: readonly Recorded[]): string => runs.map(({ name }) => name).join(", ");

/** What holds, and then all that is missing: nothing that did not run is passed over. */
export function verdictLine(verdicts: readonly VerdictByCode[], runs: readonly Run[]): string {
  const broken = verdicts.filter(({ verdict }) => verdict === "BROKEN" || verdict === "IN DOUBT");
  const shown = verdicts.filter(({ verdict }) => verdict === "holds").length;
  const earlier = verdicts.filter(({ verdict }) => verdict === HELD_EARLIER).length;
  const partly = runs.filter(({ run }) => run?.verdict === "passed" && run.skipped.length > 0);
  const failed = runs.filter(({ run }) => run?.verdict === "FAILED");
  const sized = runs.filter(({ proof }) => proof.hasLongSize);
  const short = sized.filter((one) => !isShownLong(one));
  const tests = runs.filter(({ proof }) => !proof.hasLongSize);
  const without = tests.filter(({ run }) => run === undefined || run.verdict === "skipped");
  const named = (some: readonly Run[]) =>
    [...Map.groupBy(some, sizeOf)]
      .map(([size, alike]) => `${alike.map(({ proof }) => proof.name).join(", ")} (${size})`)
      .join(", ");
  return [
    `${shown} of ${verdicts.length} invariants shown by runs of this code, ${earlier} more by earlier runs alone`,
    broken.length === 0 ? "none broken" : `broken or in doubt: ${broken.map(({ id }) => id).join(", ")}`,
    ...(failed.length === 0 ? [] : [`FAILED: ${failed.map(({ proof }) => proof.name).join(", ")}`]),
    ...(partly.length === 0 ? [] : [`parts skipped of ${partly.map(({ proof }) => proof.name).join(", ")}`]),
    ...(short.length === 0
      ? []
      : [`${short.length} of ${sized.length} proofs have no long run: ${named(short)}`]),
    ...(without.length === 0
      ? []
      : [`${without.length} of ${tests.length} tests have no run: ${named(without)}`]),
    ...age(runs.flatMap(({ run }) => run ?? [])),
  ].join("; ");
}

/** What is on record need not be of one commit. */
function age(record: readonly Recorded[]): readonly string[] {
  const [oldest] = record.map(({ startedAt }) => startedAt.slice(0, 10)).toSorted();
  if (oldest === undefined) return [];
  const commits = new Set(record.map(({ machine }) => machine.commit.split(" ")[0]));
  return [`runs at ${commits.size} ${commits.size === 1 ? "commit" : "commits"}, the oldest of ${oldest}`];
}

function sizeOf({ proof, run }: Run): string {
  if (run === undefined) return "not run";
  if (run.verdict === "skipped") return "skipped";
  if (!proof.hasLongSize) return "test";
  return run.long ? "long" : "short";
}
