import { basename } from "node:path";
import { table } from "../docs/markdown.ts";
import { inWords, judge, totals, type Verdict } from "./judge.ts";
import { MUTATIONS, type PublishedMutations } from "./mutations.ts";
import type { Known, Recorded } from "./record.ts";

/** The page about the last run of each proof there is; one that never ran is named, too. */
export function proofPage(
  record: readonly Recorded[],
  proofs: readonly Known[],
  mutations?: PublishedMutations,
): string {
  const verdicts = judge(record);
  const runs = proofs.map((proof) => ({ proof, run: record.find(({ name }) => name === proof.name) }));
  const long = runs.filter(isShownLong).length;
  const tests = runs.filter(({ proof, run }) => run !== undefined && !proof.hasLongSize).length;
  const facts = [
    ["Command", "`npm run proof -- --long`; a part of it with `--only <proof>… --write`"],
    [
      "Runs",
      `${long} proofs long, ${tests} tests, which have one size; the last table has seed, day and commit of each`,
    ],
    ["Machine", [...new Set(record.map(machineOf))].join("; ")],
    ["Done", inWords(totals(record))],
    ["Mutations", mutations === undefined ? "not run" : mutationsInWords(mutations)],
    ["Verdict", verdictLine(verdicts, runs)],
  ];
  const parts = [
    "# Proof",
    "What the gateway survived, and what held. Written by the command below from what the last run of each proof reported; a short run shows less than a long one.",
    table(["What", "So far"], facts),
    "## Invariants",
    table(
      ["Id", "Holds always", "Verdict", "Shown by"],
      verdicts.map(({ id, text, verdict, by }) => [id, text, verdict, by.join(", ")]),
    ),
    "## Proofs",
    table(
      ["Proof", "What it does", "Counts", "Measured", "Verdict", "Seconds", "Run"],
      runs.map(({ proof, run }) => (run === undefined ? notRun(proof) : rowOf(run, proof))),
    ),
  ];
  return `${parts.join("\n\n")}\n`;
}

type Run = { readonly proof: Known; readonly run: Recorded | undefined };

function isShownLong({ proof, run }: Run): boolean {
  return proof.hasLongSize && run?.long === true && run.verdict !== "skipped";
}

/** What holds, and then all that is missing: nothing that did not run is passed over. */
function verdictLine(verdicts: readonly Verdict[], runs: readonly Run[]): string {
  const broken = verdicts.filter(({ verdict }) => verdict === "BROKEN" || verdict === "IN DOUBT");
  const shown = verdicts.filter(({ verdict }) => verdict === "holds").length;
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
    broken.length === 0
      ? `${shown} of ${verdicts.length} invariants shown, none broken`
      : `broken or in doubt: ${broken.map(({ id }) => id).join(", ")}`,
    ...(failed.length === 0 ? [] : [`FAILED: ${failed.map(({ proof }) => proof.name).join(", ")}`]),
    ...(short.length === 0
      ? []
      : [`${short.length} of ${sized.length} proofs have no long run: ${named(short)}`]),
    ...(without.length === 0
      ? []
      : [`${without.length} of ${tests.length} tests have no run: ${named(without)}`]),
  ].join("; ");
}

function sizeOf({ proof, run }: Run): string {
  if (run === undefined) return "not run";
  if (run.verdict === "skipped") return "skipped";
  if (!proof.hasLongSize) return "test";
  return run.long ? "long" : "short";
}

function rowOf(run: Recorded, proof: Known): readonly string[] {
  const size = proof.hasLongSize ? (run.long ? "long" : "short") : "test";
  return [
    run.name,
    run.about,
    inWords(run.counts),
    Object.entries(run.most)
      .map(([what, value]) => `${what}: ${value}`)
      .join(", "),
    [run.verdict, ...run.skipped.map((reason) => `skipped: ${reason}`)].filter(unlessRepeated).join("; "),
    String(run.seconds),
    `${size}, seed ${run.seed}, ${run.startedAt.slice(0, 10)}, commit ${run.machine.commit}`,
  ];
}

const notRun = ({ name }: Known): readonly string[] => [name, "", "", "", "not run", "", ""];

function mutationsInWords(mutations: PublishedMutations): string {
  const { tried, killed, timedOut, mutants, withoutTest, withoutTestPercent, scorePercent } = mutations;
  const late = timedOut === undefined ? "" : `, ${timedOut} timed out`;
  return `tests killed ${killed} of ${tried} small changes that were tried (${scorePercent}%${late}); of ${mutants.toLocaleString("en")} in all, ${withoutTest} (${withoutTestPercent}%) had no test; with these as survivors the score is ${mutations.scoreOfAllPercent}%: [${basename(MUTATIONS)}](${basename(MUTATIONS)})`;
}

function machineOf({ machine: { cores, cpu, memoryGb, node, postgres } }: Recorded): string {
  return `${cores} cores (${cpu}), ${memoryGb} GB, Node ${node}, PostgreSQL ${postgres}`;
}

/** "skipped; skipped: no tag" says it twice. */
const unlessRepeated = (text: string, _: number, all: readonly string[]) =>
  text !== "skipped" || all.length === 1;
