import assert from "node:assert/strict";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { describe, test } from "node:test";
import { declareProof, isLong, proofSeed } from "../support/proof.ts";
import { seeded } from "../support/random.ts";
import { createScratchTree, type ScratchTree } from "../support/scratch-tree.ts";
import { runTests } from "../support/test-run.ts";
import { type Mutant, mutantsOf } from "./mutations/mutate.ts";
import { judgesOf } from "./mutations/tests-of.ts";

/**
 * The short proof takes a sample of those that unit tests judge, chosen by the seed; the long one takes every mutant that
 * fits into its time.
 */
const SAMPLE = isLong ? Number.POSITIVE_INFINITY : 24;
const MOST_MINUTES = Number(process.env["TIDEGATE_MUTATION_MINUTES"] ?? (isLong ? 90 : 3));
/** Measured with the long run; a lower score means that tests became weaker. */
const LEAST_SCORE = 0.7;
/** Score and survivors of the last long run. */
const PUBLISHED = "docs/generated/mutations.json";
const WITHIN_MS = { unit: 30_000, spec: 180_000 };
const AT_ONCE = 2;

/** The kernel, and of each feature the noun and its rules. Texts in languages decide nothing. */
function pureFiles(): readonly string[] {
  const kernel = globSync("src/kernel/**/*.ts").filter((path) => !path.includes("/languages/"));
  const nouns = globSync("src/features/*/*.ts").filter((path) => {
    const [name, folder] = [basename(path, ".ts"), basename(dirname(path))];
    return folder.startsWith(name) || name.endsWith("-rules") || name === "bank-account";
  });
  return [...kernel, ...nouns].filter((path) => !path.endsWith(".test.ts")).sort();
}

const nameOf = ({ file, line, kind, from, to }: Mutant) => `${file}:${line} ${kind}: ${from} → ${to}`;

function sample(mutants: readonly Mutant[]): readonly Mutant[] {
  const random = seeded(proofSeed);
  return mutants
    .map((mutant) => ({ mutant, place: random() }))
    .sort((one, other) => one.place - other.place)
    .slice(0, SAMPLE)
    .map(({ mutant }) => mutant);
}

/** Runs the tests that judge a file, as the tree has it; returns whether they notice a change. */
async function areRed(tree: ScratchTree, file: string): Promise<boolean> {
  const judges = judgesOf(file);
  assert.ok(judges !== undefined, file);
  const run = await runTests(judges.files, {
    cwd: tree.folder,
    withinMs: WITHIN_MS[judges.isUnit ? "unit" : "spec"],
    untilFailed: true,
  });
  return run.isOver || run.failed.length > 0;
}

async function isKilled(tree: ScratchTree, mutant: Mutant): Promise<boolean> {
  tree.write(mutant.file, mutant.text);
  try {
    return await areRed(tree, mutant.file);
  } finally {
    tree.restore(mutant.file);
  }
}

/** Tests that are red without a mutant would kill them all. */
async function assertGreen(mutants: readonly Mutant[]): Promise<void> {
  const files = new Map(
    mutants.map(({ file }) => [judgesOf(file)?.files.join(" "), file] as const).reverse(),
  );
  const tree = createScratchTree();
  try {
    for (const [tests, file] of files)
      assert.equal(await areRed(tree, file), false, `${tests} fail by themselves`);
  } finally {
    tree.remove();
  }
}

const proof = declareProof("tests notice small changes of the kernel and the nouns", []);

describe("PROOF: tests notice small changes of the kernel and the nouns", () => {
  test("most mutants are killed", async (context) => {
    const all = pureFiles().flatMap((file) => mutantsOf(file, readFileSync(file, "utf8")));
    const uncovered = all.filter(({ file }) => judgesOf(file) === undefined);
    const judged = all.filter(({ file }) => (isLong ? judgesOf(file) : judgesOf(file)?.isUnit));
    const waiting = [...sample(judged)];
    await assertGreen(waiting);
    const [killed, survived]: [Mutant[], Mutant[]] = [[], []];
    const end = Date.now() + MOST_MINUTES * 60_000;
    const work = async () => {
      const tree = createScratchTree();
      try {
        for (let next = waiting.pop(); next !== undefined && Date.now() < end; next = waiting.pop()) {
          ((await isKilled(tree, next)) ? killed : survived).push(next);
        }
      } finally {
        tree.remove();
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    const tried = killed.length + survived.length;
    const score = killed.length / tried;
    const counts = {
      mutants: all.length,
      withoutTest: uncovered.length,
      tried,
      killed: killed.length,
      survived: survived.length,
      scorePercent: Math.round(score * 1_000) / 10,
    };
    proof.count({ mutants: tried, killed: killed.length, survived: survived.length });
    proof.most({ "mutation score in percent": counts.scorePercent });
    if (isLong) {
      const byFile = Object.fromEntries(
        pureFiles().map((path) => [path, uncovered.filter((mutant) => mutant.file === path).length] as const),
      );
      const withoutTest = Object.fromEntries(Object.entries(byFile).filter(([, count]) => count > 0));
      const report = { seed: proofSeed, ...counts, survivors: survived.map(nameOf).sort(), withoutTest };
      writeFileSync(PUBLISHED, `${JSON.stringify(report, null, 2)}\n`);
    }
    for (const mutant of survived) context.diagnostic(`survived: ${nameOf(mutant)}`);
    context.diagnostic(JSON.stringify(counts));
    assert.ok(tried > 0);
    assert.ok(score >= LEAST_SCORE, `the score is ${score}`);
  });
});
