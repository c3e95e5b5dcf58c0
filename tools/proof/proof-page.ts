import { basename } from "node:path";
import { table } from "../docs/markdown.ts";
import { flatTable, measuredOf } from "./flat-table.ts";
import { inWords, judge, type Verdict } from "./judge.ts";
import { UNCOMMITTED } from "./machine.ts";
import { machinesInWords } from "./machine-in-words.ts";
import { headlinesOf, mixedLoadTable } from "./mixed-load-table.ts";
import { MUTATIONS, type PublishedMutations } from "./mutations.ts";
import type { Known, Recorded } from "./record.ts";
import { survivedFaults } from "./survived.ts";

/** So many of the proofs that show an invariant are named. */
const NAMED_PROOFS = 3;

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
    ["Machine", machinesInWords(record.map(({ machine }) => machine))],
    ["Mutations", mutations === undefined ? "not run" : mutationsInWords(mutations)],
    ["Verdict", verdictLine(verdicts, runs)],
  ];
  const survived = survivedFaults(record);
  const flat = flatTable(record);
  const load = mixedLoadTable(record);
  const parts = [
    "# Proof",
    "What the gateway survived, and what held. Written by the command below from what the last run of each proof reported; a short run shows less than a long one.",
    table(["What", "So far"], facts),
    ...(survived.length === 0
      ? []
      : ["## Faults", table(["Fault", "How many", "What held", "Slowest to settle", "Proof"], survived)]),
    "## Invariants",
    table(
      ["Id", "Holds always", "Verdict", "Shown by"],
      verdicts.map(({ id, text, verdict, by }) => [id, text, verdict, shownBy(by)]),
    ),
    "## Proofs",
    table(
      ["Proof", "What it does", "Counts", "Measured", "Verdict", "Seconds", "Run"],
      runs.map(({ proof, run }) => (run === undefined ? notRun(proof) : rowOf(run, proof))),
    ),
    ...(flat === undefined
      ? []
      : [
          "## A day without a restart",
          "What `long-life` measured in the first and in the last quarter of the day.",
          flat,
        ]),
    ...(load === undefined
      ? []
      : [
          "## What the load did",
          "Work under mixed load that was answered as done, and was there at the end.",
          load,
        ]),
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
    ...age(runs.flatMap(({ run }) => run ?? [])),
  ].join("; ");
}

/** What is on record need not be of one commit. */
function age(record: readonly Recorded[]): readonly string[] {
  const [oldest] = record.map(({ startedAt }) => startedAt.slice(0, 10)).toSorted();
  if (oldest === undefined) return [];
  const commits = new Set(record.map(({ machine }) => machine.commit.split(" ")[0]));
  const changed = record.filter(({ machine }) => machine.commit.endsWith(UNCOMMITTED)).length;
  const beside = changed === 0 ? "" : `, ${changed} of ${record.length} with changes beside the commit`;
  return [
    `records from ${commits.size} ${commits.size === 1 ? "commit" : "commits"}${beside}, the oldest of ${oldest}`,
  ];
}

/** `23: crash-points, database-kills, failover…`. */
function shownBy(proofs: readonly string[]): string {
  const named = proofs.slice(0, NAMED_PROOFS).join(", ");
  return proofs.length <= NAMED_PROOFS ? named : `${proofs.length}: ${named}…`;
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
    inWords(headlinesOf(run)),
    measuredOf(run).join("; "),
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

/** "skipped; skipped: no tag" says it twice. */
const unlessRepeated = (text: string, _: number, all: readonly string[]) =>
  text !== "skipped" || all.length === 1;
