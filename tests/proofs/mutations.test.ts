import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { describe, test } from "node:test";
import { MUTATIONS, type PublishedMutations } from "../../tools/proof/mutations.ts";
import { declareProof, isLong, ownSizes, proofSeed, sizedBy } from "../support/proof.ts";
import { seeded } from "../support/random.ts";
import { createScratchTree, type ScratchTree } from "../support/scratch-tree.ts";
import { runTests } from "../support/test-run.ts";
import { type Mutant, mutantsOf } from "./mutations/mutate.ts";
import { pureFiles } from "./mutations/pure-files.ts";
import { judgesOf } from "./mutations/tests-of.ts";

/**
 * The short proof takes a sample of those that unit tests judge, chosen by the seed; the long one takes every mutant that
 * fits into its time.
 */
const SAMPLE = isLong ? Number.POSITIVE_INFINITY : 24;
const MOST_MINUTES = sizedBy("TIDEGATE_MUTATION_MINUTES", 3, 90);
/**
 * Of those tried, how many a failing test found. A lower score means that tests became weaker. The long run has just under
 * what was measured: the survivors then were changes that nothing can notice. A sample may hold several of these.
 */
const LEAST_SCORE = isLong ? 0.97 : 0.8;
/** The part of all mutants that no test judges, which the score leaves out: none of 1,616 when this was written. */
const MOST_WITHOUT_TEST = 0.01;
const WITHIN_MS = { unit: 30_000, spec: 180_000 };
const AT_ONCE = 2;

const nameOf = ({ file, line, kind, from, to }: Mutant) => `${file}:${line} ${kind}: ${from} → ${to}`;

function sample(mutants: readonly Mutant[]): readonly Mutant[] {
  const random = seeded(proofSeed);
  return mutants
    .map((mutant) => ({ mutant, place: random() }))
    .sort((one, other) => one.place - other.place)
    .slice(0, SAMPLE)
    .map(({ mutant }) => mutant);
}

/** What the tests make of a mutant. A run that takes too long shows that something changed, but no test says what. */
type Outcome = "killed" | "timedOut" | "survived";

/** Runs the tests that judge a mutant, on the tree as it is. */
async function outcomeOf(tree: ScratchTree, mutant: Mutant): Promise<Outcome> {
  const judges = judgesOf(mutant);
  assert.ok(judges !== undefined, mutant.file);
  const run = await runTests(judges.files, {
    cwd: tree.folder,
    withinMs: WITHIN_MS[judges.isUnit ? "unit" : "spec"],
    untilFailed: true,
  });
  if (run.failed.length > 0) return "killed";
  return run.isOver ? "timedOut" : "survived";
}

async function tryMutant(tree: ScratchTree, mutant: Mutant): Promise<Outcome> {
  tree.write(mutant.file, mutant.text);
  try {
    return await outcomeOf(tree, mutant);
  } finally {
    tree.restore(mutant.file);
  }
}

/** Tests that are red without a mutant would kill them all. */
async function assertGreen(mutants: readonly Mutant[]): Promise<void> {
  const byTests = new Map(mutants.map((mutant) => [judgesOf(mutant)?.files.join(" "), mutant] as const));
  const tree = createScratchTree();
  try {
    for (const [tests, mutant] of byTests)
      assert.equal(await outcomeOf(tree, mutant), "survived", `${tests} fail by themselves`);
  } finally {
    tree.remove();
  }
}

const proof = declareProof("tests notice small changes of the kernel and the nouns", []);

describe("PROOF: tests notice small changes of the kernel and the nouns", () => {
  test("most mutants are killed", async (context) => {
    const all = pureFiles().flatMap((file) => mutantsOf(file, readFileSync(file, "utf8")));
    const uncovered = all.filter((mutant) => judgesOf(mutant) === undefined);
    const judged = all.filter((mutant) => (isLong ? judgesOf(mutant) : judgesOf(mutant)?.isUnit));
    const waiting = [...sample(judged)];
    await assertGreen(waiting);
    const found: Record<Outcome, Mutant[]> = { killed: [], timedOut: [], survived: [] };
    const end = Date.now() + MOST_MINUTES * 60_000;
    const work = async () => {
      const tree = createScratchTree();
      try {
        for (let next = waiting.pop(); next !== undefined && Date.now() < end; next = waiting.pop()) {
          found[await tryMutant(tree, next)].push(next);
        }
      } finally {
        tree.remove();
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    if (isLong) assert.equal(waiting.length, 0, `mutants that were not tried in ${MOST_MINUTES} minutes`);
    const [killed, timedOut, survived] = [found.killed.length, found.timedOut.length, found.survived.length];
    const tried = killed + timedOut + survived;
    const score = killed / tried;
    const withoutTest = uncovered.length / all.length;
    const counts = {
      mutants: all.length,
      withoutTest: uncovered.length,
      withoutTestPercent: percent(withoutTest),
      ...{ tried, killed, timedOut, survived },
      scorePercent: percent(score),
      // As if each mutant without a test had survived.
      scoreOfAllPercent: percent(score * (1 - withoutTest)),
    };
    proof.count({
      mutants: tried,
      "mutants killed by a failing test": killed,
      "mutants timed out": timedOut,
      "mutants survived": survived,
    });
    proof.most({
      "mutation score in percent": counts.scorePercent,
      "mutants without a test in percent": counts.withoutTestPercent,
    });
    if (isLong && ownSizes().length === 0) {
      const byFile = Map.groupBy(uncovered, ({ file }) => file);
      const report: PublishedMutations = {
        seed: proofSeed,
        ...counts,
        survivors: found.survived.map(nameOf).sort(),
        timeOuts: found.timedOut.map(nameOf).sort(),
        filesWithoutTest: Object.fromEntries([...byFile].map(([file, mutants]) => [file, mutants.length])),
      };
      writeFileSync(MUTATIONS, `${JSON.stringify(report, null, 2)}\n`);
    }
    for (const outcome of ["survived", "timedOut"] as const)
      for (const mutant of found[outcome]) context.diagnostic(`${outcome}: ${nameOf(mutant)}`);
    context.diagnostic(JSON.stringify(counts));
    assert.ok(tried > 0);
    assert.ok(score >= LEAST_SCORE, `the score is ${score}`);
    assert.ok(withoutTest <= MOST_WITHOUT_TEST, `${counts.withoutTestPercent}% of all mutants have no test`);
  });
});

function percent(share: number): number {
  return Math.round(share * 1_000) / 10;
}
