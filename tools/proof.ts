/**
 * Proves what the gateway promises, under faults: runs every file of tests/proofs, a few at a time, and reports seed,
 * counts and a verdict for each invariant. The longest begin first.
 *
 *   npm run proof                            the short run, which fails after ten minutes
 *   npm run proof -- --long                  the long run, hours; all of it writes docs/generated/proof.md
 *   npm run proof -- --long --continue       what the long run of this very code is without; writes the page, too
 *   npm run proof -- --lanes 3               so many proofs at a time
 *   npm run proof -- --only later-races      one proof; repeat it for more
 *   npm run proof -- --seed 42               other random choices
 *   TIDEGATE_PROOF_TRIALS=100 npm run proof -- --only payment-races    so many trials of each race
 *   npm run proof -- --write                 writes docs/generated/proof.md after a short or partial run, too
 *   npm run proof -- --page                  writes docs/generated/proof.md from the runs on record, and runs nothing
 *
 * A run whose size such a variable sets is never written: the page would call it long.
 *
 * The page keeps the last run of every proof and is renewed when one ends, so that a long run can be made in parts: digests say
 * what ran, and `--continue` runs the proofs that have failed, have no long run, or have one of other code or of another proof.
 */
import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { ownSizes } from "../tests/support/proof.ts";
import { longestFirst, unfinished } from "./proof/code-of-run.ts";
import { type Digests, readDigests } from "./proof/digests.ts";
import { findProofs, type ProofFile } from "./proof/find-proofs.ts";
import { inWords, judge, totals } from "./proof/judge.ts";
import { readMachine } from "./proof/machine.ts";
import { pageOnRecord } from "./proof/proof-page.ts";
import { mergeRecord, type Recorded, readRecord, writeRecord } from "./proof/record.ts";
import {
  type Finding,
  isBounded,
  runProof,
  runTogether,
  SHORT_RUN_SECONDS,
  type Sizes,
} from "./proof/run-proof.ts";
import { type TestEnvironment, withTestDatabase } from "./test-database.ts";

const PAGE = "docs/generated/proof.md";
/** How much of a failed proof's output is shown. */
const SHOWN_LINES = 80;
/** Proofs that run at the same time: most of the time of a short one is a wait, for processes to start or faults to settle. */
const LANES = { short: 4, long: 2 };

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      long: { type: "boolean", default: false },
      write: { type: "boolean", default: false },
      page: { type: "boolean", default: false },
      continue: { type: "boolean", default: false },
      lanes: { type: "string" },
      seed: { type: "string", default: "20261115" },
      only: { type: "string", multiple: true, default: [] },
    },
  });
  const { long, only, write } = values;
  const seed = Number(values.seed);
  const lanes = Number(values.lanes ?? LANES[long ? "long" : "short"]);
  const all = findProofs();
  const named = all.filter(({ name }) => only.length === 0 || only.includes(name));
  const isUsable = Number.isSafeInteger(seed) && Number.isSafeInteger(lanes) && lanes > 0;
  if (named.length === 0 || !isUsable || (values.continue && !long)) {
    console.error(
      "usage: npm run proof -- [--long [--continue]] [--write] [--seed <integer>] [--lanes <integer>] [--only <name>]…",
    );
    console.error(`proofs: ${all.map(({ name }) => name).join(", ")}`);
    return 2;
  }
  // What runs is what is here now: the gateway's processes run what is bundled at the start.
  const digests = readDigests(all);
  if (values.page) {
    await publish([], all, digests);
    return 0;
  }
  const { runs } = await readRecord();
  const chosen = longestFirst(values.continue ? unfinished(named, runs, digests) : named, runs);
  if (chosen.length === 0) {
    console.log("each of these proofs has a long run of this code");
    return 0;
  }
  const isPublished = write || values.continue || (long && only.length === 0);
  if (isPublished && ownSizes().length > 0) {
    console.error(`a run that is written has the sizes of its kind: unset ${ownSizes().join(", ")}`);
    return 2;
  }
  const startedAt = new Date();
  console.log(
    `${long ? "long" : "short"} run, seed ${seed}, ${chosen.length} proofs, ${lanes} at a time, code ${digests.product.slice(0, 12)}`,
  );
  return withTestDatabase(async (environment) => {
    const machine = await readMachine(environment["TIDEGATE_TEST_DATABASE_URL"] ?? "");
    const keep = async (found: readonly Finding[]) => {
      const { product, proofs } = digests;
      const now = readDigests(all);
      const runs = found.flatMap(({ output: _, ...finding }) => {
        const proof = proofs[finding.name] ?? "";
        if (now.product === product && now.proofs[finding.name] === proof)
          return [{ ...finding, long, seed, startedAt: startedAt.toISOString(), machine, product, proof }];
        console.log(`${finding.name} is not recorded: its code changed while it ran`);
        return [];
      });
      await publish(runs, all, now);
    };
    const findings = await runAll(chosen, { long, seed, lanes }, environment, isPublished ? keep : undefined);
    const seconds = Math.round((Date.now() - startedAt.getTime()) / 1_000);
    console.log(`\n${inWords(totals(findings)) || "done"}, in ${seconds} seconds with seed ${seed}\n`);
    for (const { id, verdict, text, by } of judge(findings))
      console.log(
        `${id.padEnd(4)} ${verdict.padEnd(10)} ${text}${verdict === "holds" || verdict === "not shown" ? "" : `: ${by.join(", ")}`}`,
      );
    if (isPublished) console.log(`\n${PAGE} is written`);
    if (isBounded({ long }) && seconds > SHORT_RUN_SECONDS) {
      console.log(`\nFAILED: the short run took ${seconds} seconds; it may take ${SHORT_RUN_SECONDS}`);
      return 1;
    }
    return findings.some(({ verdict }) => verdict === "FAILED") ? 1 : 0;
  });
}

/** Adds these runs to the record and writes the page anew. */
async function publish(
  found: readonly Recorded[],
  all: readonly ProofFile[],
  digests: Digests,
): Promise<void> {
  const { runs } = await readRecord();
  await writeRecord({ ...digests, runs: mergeRecord(runs, found, all) });
  await writeFile(PAGE, await pageOnRecord());
}

/** Runs them in a few lanes and publishes each when it ends; returns their findings in the order of their ends. */
async function runAll(
  chosen: readonly ProofFile[],
  { lanes, ...sizes }: Sizes & { readonly lanes: number },
  environment: TestEnvironment,
  keep: (found: readonly Finding[]) => Promise<void> = async () => {},
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  let keeping = Promise.resolve();
  const waiting = Map.groupBy(chosen, ({ name, sharesProcess }) => (sharesProcess ? "shared" : name))
    .values()
    .toArray();
  let isInterrupted = false;
  const interrupt = () => {
    isInterrupted = true;
    waiting.splice(0);
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, interrupt);
  const runLane = async () => {
    for (let proofs = waiting.shift(); proofs !== undefined; proofs = waiting.shift()) {
      const found = await runUnit(proofs, sizes, environment);
      for (const finding of found) show(finding);
      findings.push(...found);
      // An interruption fails the proof that it ends, which says nothing about the gateway.
      if (isInterrupted) continue;
      keeping = keeping.then(() => keep(found));
      await keeping;
    }
  };
  await Promise.all(Array.from({ length: lanes }, runLane));
  return findings;
}

/** One proof, or the tests that share a process. */
async function runUnit(
  proofs: readonly ProofFile[],
  sizes: Sizes,
  environment: TestEnvironment,
): Promise<readonly Finding[]> {
  const [first, ...others] = proofs;
  if (first === undefined || others.length > 0) return runTogether(proofs, sizes, environment);
  return [await runProof(first, sizes, environment)];
}

/** From the list of failures on, which begins with the message; without one, the end. */
function failureIn(output: string): string {
  const lines = output.split("\n");
  const from = lines.findLastIndex((line) => line.includes("failing tests:"));
  return (from < 0 ? lines.slice(-SHOWN_LINES) : lines.slice(from, from + SHOWN_LINES)).join("\n");
}

function show({ name, verdict, seconds, counts, most, skipped, output }: Finding): void {
  const measured = Object.entries(most).map(([what, value]) => `${what}: ${value}`);
  const facts = [inWords(counts), ...measured, ...skipped].filter((text) => text !== "");
  console.log(`${verdict.padEnd(8)} ${name} (${seconds} s) ${facts.join("; ")}`);
  if (verdict === "FAILED") console.log(failureIn(output));
}

// A reader that closes the pipe (such as `head`) must not prevent the clean-up.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

process.exit(await main());
