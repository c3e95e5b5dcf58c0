import { table } from "../docs/markdown.ts";
import { inWords, judge, totals } from "./judge.ts";
import type { Recorded } from "./record.ts";

/** The page about the last run of each proof. */
export function proofPage(record: readonly Recorded[]): string {
  const verdicts = judge(record);
  const shown = verdicts.filter(({ verdict }) => verdict === "holds").length;
  const broken = verdicts.filter(({ verdict }) => verdict === "BROKEN" || verdict === "IN DOUBT");
  const long = record.filter((one) => one.long).length;
  const facts = [
    ["Command", "`npm run proof -- --long`; a part of it with `--only <proof>… --write`"],
    [
      "Runs",
      `${record.length} proofs, of which ${long} long; the last table has seed, day and commit of each`,
    ],
    ["Machine", [...new Set(record.map(machineOf))].join("; ")],
    ["Done", inWords(totals(record))],
    [
      "Verdict",
      broken.length === 0
        ? `${shown} of ${verdicts.length} invariants shown, none broken`
        : `broken or in doubt: ${broken.map(({ id }) => id).join(", ")}`,
    ],
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
      record.map((one) => [
        one.name,
        one.about,
        inWords(one.counts),
        Object.entries(one.most)
          .map(([what, value]) => `${what}: ${value}`)
          .join(", "),
        [one.verdict, ...one.skipped.map((reason) => `skipped: ${reason}`)].filter(unlessRepeated).join("; "),
        String(one.seconds),
        `${one.long ? "long" : "short"}, seed ${one.seed}, ${one.startedAt.slice(0, 10)}, commit ${one.machine.commit}`,
      ]),
    ),
  ];
  return `${parts.join("\n\n")}\n`;
}

function machineOf({ machine: { cores, cpu, memoryGb, node, postgres } }: Recorded): string {
  return `${cores} cores (${cpu}), ${memoryGb} GB, Node ${node}, PostgreSQL ${postgres}`;
}

/** "skipped; skipped: no tag" says it twice. */
const unlessRepeated = (text: string, _: number, all: readonly string[]) =>
  text !== "skipped" || all.length === 1;
