import { table } from "../docs/markdown.ts";
import { inWords, judge, totals } from "./judge.ts";
import type { Machine } from "./machine.ts";
import type { Finding } from "./run-proof.ts";

export type ProofRun = {
  readonly command: string;
  readonly long: boolean;
  readonly seed: number;
  readonly seconds: number;
  readonly startedAt: Date;
  readonly machine: Machine;
  readonly findings: readonly Finding[];
};

/** The page about one run, made from what its proofs reported. */
export function proofPage({ command, long, seed, seconds, startedAt, machine, findings }: ProofRun): string {
  const { cores, memoryGb, cpu, node, postgres, commit } = machine;
  const verdicts = judge(findings);
  const shown = verdicts.filter(({ verdict }) => verdict === "holds").length;
  const broken = verdicts.filter(({ verdict }) => verdict === "BROKEN" || verdict === "IN DOUBT");
  const facts = [
    ["Command", `\`${command}\``],
    [
      "Run",
      `${long ? "long" : "short"}, seed ${seed}, ${minutes(seconds)}, ${startedAt.toISOString().slice(0, 16)}Z`,
    ],
    ["Commit", commit],
    ["Machine", `${cores} cores (${cpu}), ${memoryGb} GB, Node ${node}, PostgreSQL ${postgres}`],
    ["Done", inWords(totals(findings))],
    [
      "Verdict",
      broken.length === 0
        ? `${shown} of ${verdicts.length} invariants shown, none broken`
        : `broken or in doubt: ${broken.map(({ id }) => id).join(", ")}`,
    ],
  ];
  const parts = [
    "# Proof",
    "What the gateway survived in one run, and what held. Written by the command below from what its proofs reported; a short or partial run shows less than `npm run proof -- --long`.",
    table(["What", "This run"], facts),
    "## Invariants",
    table(
      ["Id", "Holds always", "Verdict", "Shown by"],
      verdicts.map(({ id, text, verdict, by }) => [id, text, verdict, by.join(", ")]),
    ),
    "## Proofs",
    table(
      ["Proof", "What it does", "Counts", "Measured", "Verdict", "Seconds"],
      findings.map(({ name, about, counts, most, verdict, skipped, seconds: took }) => [
        name,
        about,
        inWords(counts),
        Object.entries(most)
          .map(([what, value]) => `${what}: ${value}`)
          .join(", "),
        [verdict, ...skipped.map((reason) => `skipped: ${reason}`)].filter(unlessRepeated).join("; "),
        String(took),
      ]),
    ),
  ];
  return `${parts.join("\n\n")}\n`;
}

/** "skipped; skipped: no tag" says it twice. */
const unlessRepeated = (text: string, _: number, all: readonly string[]) =>
  text !== "skipped" || all.length === 1;

function minutes(seconds: number): string {
  return seconds < 120 ? `${seconds} seconds` : `${Math.round(seconds / 60)} minutes`;
}
