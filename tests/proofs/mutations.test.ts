import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { describe, test } from "node:test";
import { declareProof, isLong, proofSeed } from "../support/proof.ts";
import { seeded } from "../support/random.ts";
import { createScratchTree, type ScratchTree } from "../support/scratch-tree.ts";
import { runTests } from "../support/test-run.ts";
import { type Mutant, mutantsOf } from "./mutations/mutate.ts";

/** The short proof takes a sample, chosen by the seed; the long one takes every mutant that fits into its time. */
const SAMPLE = isLong ? Number.POSITIVE_INFINITY : 24;
const MOST_MINUTES = Number(process.env["TIDEGATE_MUTATION_MINUTES"] ?? (isLong ? 40 : 3));
/** Measured with the long run; a lower score means that tests became weaker. */
const LEAST_SCORE = 0.7;
/** Score and survivors of the last long run. */
const PUBLISHED = "docs/generated/mutations.json";
const WITHIN_MS = 30_000;
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

const testOf = (file: string) => file.replace(/\.ts$/, ".test.ts");
const nameOf = ({ file, line, kind, from, to }: Mutant) => `${file}:${line} ${kind}: ${from} → ${to}`;

function sample(mutants: readonly Mutant[]): readonly Mutant[] {
  const random = seeded(proofSeed);
  return mutants
    .map((mutant) => ({ mutant, place: random() }))
    .sort((one, other) => one.place - other.place)
    .slice(0, SAMPLE)
    .map(({ mutant }) => mutant);
}

/** Whether the unit tests beside the file notice the change. */
async function isKilled(tree: ScratchTree, mutant: Mutant): Promise<boolean> {
  tree.write(mutant.file, mutant.text);
  try {
    const run = await runTests([testOf(mutant.file)], {
      cwd: tree.folder,
      withinMs: WITHIN_MS,
      untilFailed: true,
    });
    return run.isOver || run.failed.length > 0;
  } finally {
    tree.restore(mutant.file);
  }
}

const proof = declareProof("unit tests notice small changes of the kernel and the nouns", []);

describe("PROOF: unit tests notice small changes of the kernel and the nouns", () => {
  test("most mutants are killed", { timeout: 3_600_000 }, async (context) => {
    const all = pureFiles().flatMap((file) => mutantsOf(file, readFileSync(file, "utf8")));
    const isCovered = ({ file }: Mutant) => existsSync(testOf(file));
    const uncovered = all.filter((mutant) => !isCovered(mutant));
    const waiting = [...sample(all.filter(isCovered))];
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
      withoutUnitTest: uncovered.length,
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
      const withoutUnitTest = Object.fromEntries(Object.entries(byFile).filter(([, count]) => count > 0));
      const report = { seed: proofSeed, ...counts, survivors: survived.map(nameOf).sort(), withoutUnitTest };
      writeFileSync(PUBLISHED, `${JSON.stringify(report, null, 2)}\n`);
    }
    for (const mutant of survived) context.diagnostic(`survived: ${nameOf(mutant)}`);
    context.diagnostic(JSON.stringify(counts));
    assert.ok(tried > 0);
    assert.ok(score >= LEAST_SCORE, `the score is ${score}`);
  });
});
