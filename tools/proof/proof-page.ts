import { basename } from "node:path";
import { table } from "../docs/markdown.ts";
import { codeInWords } from "./code-of-run.ts";
import type { Digests } from "./digests.ts";
import { findProofs } from "./find-proofs.ts";
import { flatTable, measuredOf } from "./flat-table.ts";
import { inWords } from "./judge.ts";
import { machinesInWords } from "./machine-in-words.ts";
import { headlinesOf, mixedLoadTable } from "./mixed-load-table.ts";
import { MUTATIONS, type PublishedMutations, readMutations } from "./mutations.ts";
import { racesTable } from "./races-table.ts";
import { type Known, mergeRecord, type ProofRecord, type Recorded, readRecord } from "./record.ts";
import { survivedFaults } from "./survived.ts";
import { codeFacts, isShownLong, judgeByCode, verdictLine } from "./verdict.ts";

/** So many of the proofs that show an invariant are named. */
const NAMED_PROOFS = 3;

/** So many digits of a digest tell one from another. */
const SHOWN_DIGITS = 12;

/** The page of what is on record, about the proofs there are. */
export async function pageOnRecord(): Promise<string> {
  const record = await readRecord();
  const proofs = findProofs();
  return proofPage({ ...record, runs: mergeRecord(record.runs, [], proofs) }, proofs, await readMutations());
}

/** The page about the last run of each proof there is; one that never ran is named, too. */
export function proofPage(
  record: ProofRecord,
  proofs: readonly Known[],
  mutations?: PublishedMutations,
): string {
  const judged = judgeByCode(record);
  const runs = proofs.map((proof) => ({ proof, run: record.runs.find(({ name }) => name === proof.name) }));
  const long = runs.filter(isShownLong).length;
  const tests = runs.filter(({ proof, run }) => run !== undefined && !proof.hasLongSize).length;
  const facts = [
    ["Command", "`npm run proof -- --long`; what is missing of it, with `--long --continue`"],
    [
      "This code",
      `digest \`${record.product.slice(0, SHOWN_DIGITS)}\` of src, browser, migrations, bin and package-lock.json when this page was written; \`npm run proof -- --page\` compares again`,
    ],
    ...codeFacts(record, proofs),
    [
      "Runs",
      `${long} proofs long, ${tests} tests, which have one size, of this or earlier code; the last table has seed, day and commit of each`,
    ],
    ["Machine", machinesInWords(record.runs.map(({ machine }) => machine))],
    ["Mutations", mutations === undefined ? "not run" : mutationsInWords(mutations)],
    ["Verdict", verdictLine(judged, runs)],
  ];
  const survived = survivedFaults(record);
  const races = racesTable(record.runs);
  const flat = flatTable(record.runs);
  const load = mixedLoadTable(record.runs);
  const parts = [
    "# Proof",
    "What the gateway survived, and what held. Written by the command below from what the last run of each proof reported; a short run shows less than a long one. A run is of this code if the digests of the product and of the proof are those of this page; every other one is an earlier run. The commit is for information: files may have been changed beside it.",
    table(["What", "So far"], facts),
    ...(survived.length === 0
      ? []
      : ["## Faults", table(["Fault", "How many", "What held", "Slowest to settle", "Proof"], survived)]),
    "## Invariants",
    "A proof checks every invariant that it names. Its load decides which of them it could break: one without refunds says nothing about refunds.",
    table(
      ["Id", "Holds always", "Verdict", "Checked by"],
      judged.map(({ id, text, verdict, by }) => [id, text, verdict, shownBy(by)]),
    ),
    "## Proofs",
    table(
      ["Proof", "What it does", "Counts", "Measured", "Verdict", "Seconds", "Run", "Code"],
      runs.map(({ proof, run }) => (run === undefined ? notRun(proof) : rowOf(run, proof, record))),
    ),
    ...(races === undefined
      ? []
      : [
          "## Races",
          "Pairs of conflicting calls, on two nodes: in half of the trials two calls (three where three verbs race), in one of twenty fifty, in the others three to sixteen. They start within 15 ms; where one side takes longer, with a deadline or a clock, one side may start up to 0.4 seconds later, in a few pairs up to a second.",
          races,
        ]),
    ...(flat === undefined
      ? []
      : [
          "## A day without a restart",
          "What `long-life` measured in the first and in the last quarter of the day, and how much it may be in the last one.",
          flat,
        ]),
    ...(load === undefined
      ? []
      : [
          "## What the load did",
          "Work under mixed load that was answered as done, and was there at the end. What a load had not done when its faults were over, it did after them.",
          load,
        ]),
  ];
  return `${parts.join("\n\n")}\n`;
}

/** `23: crash-points, database-kills, failover…`. */
function shownBy(proofs: readonly string[]): string {
  const named = proofs.slice(0, NAMED_PROOFS).join(", ");
  return proofs.length <= NAMED_PROOFS ? named : `${proofs.length}: ${named}…`;
}

function rowOf(run: Recorded, proof: Known, digests: Digests): readonly string[] {
  const size = proof.hasLongSize ? (run.long ? "long" : "short") : "test";
  return [
    run.name,
    run.about,
    inWords(headlinesOf(run)),
    measuredOf(run).join("; "),
    [run.verdict, ...run.skipped.map((reason) => `skipped: ${reason}`)].filter(unlessRepeated).join("; "),
    String(run.seconds),
    `${size}, seed ${run.seed}, ${run.startedAt.slice(0, 10)}, commit ${run.machine.commit}`,
    codeInWords(run, digests),
  ];
}

const notRun = ({ name }: Known): readonly string[] => [name, "", "", "", "not run", "", "", ""];

function mutationsInWords(mutations: PublishedMutations): string {
  const { tried, killed, timedOut, mutants, withoutTest, withoutTestPercent, scorePercent } = mutations;
  const late = timedOut === undefined ? "" : `, ${timedOut} timed out`;
  return `tests killed ${killed} of ${tried} small changes that were tried (${scorePercent}%${late}); of ${mutants.toLocaleString("en")} in all, ${withoutTest} (${withoutTestPercent}%) had no test; with these as survivors the score is ${mutations.scoreOfAllPercent}%: [${basename(MUTATIONS)}](${basename(MUTATIONS)})`;
}

/** "skipped; skipped: no tag" says it twice. */
const unlessRepeated = (text: string, _: number, all: readonly string[]) =>
  text !== "skipped" || all.length === 1;
