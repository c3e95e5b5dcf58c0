import assert from "node:assert/strict";
import { stripTypeScriptTypes } from "node:module";
import { after, before, describe, test } from "node:test";
import { declareProof, isLong, proofSeed } from "../support/proof.ts";
import { seeded } from "../support/random.ts";
import { createScratchTree, type ScratchTree } from "../support/scratch-tree.ts";
import { runTests } from "../support/test-run.ts";
import { PLANTED_BUGS } from "./planted-bugs/all-bugs.ts";
import { type PlantedBug, withBug } from "./planted-bugs/planted-bug.ts";

/** `npm run planted-bugs` and the long proof plant all of them; the short proof a few, chosen by the seed. */
const SHORT = 3;
const WITHIN_MS = 240_000;

function chosen(): readonly PlantedBug[] {
  const only = process.env["TIDEGATE_PLANTED_BUGS"];
  if (only !== undefined) return PLANTED_BUGS.filter(({ name }) => new RegExp(only).test(name));
  if (isLong) return PLANTED_BUGS;
  const random = seeded(proofSeed);
  const shuffled = PLANTED_BUGS.map((bug) => ({ bug, place: random() })).sort((a, b) => a.place - b.place);
  return shuffled.slice(0, SHORT).map(({ bug }) => bug);
}

const proof = declareProof("a named check fails for each planted bug", []);

describe("PROOF: the tests find planted bugs", () => {
  let tree: ScratchTree;
  const found: string[] = [];
  before(() => {
    tree = createScratchTree();
  });
  after(() => {
    tree.remove();
    proof.count({ "planted bugs": chosen().length, "planted bugs caught": found.length });
  });

  for (const bug of chosen()) {
    test(`caught: ${bug.name}`, async () => {
      const { file, check } = bug;
      const options = { cwd: tree.folder, tests: check.tests, withinMs: WITHIN_MS };
      const sound = await runTests([check.file], options);
      assert.ok(!sound.isOver && sound.failed.length === 0, `its check fails without it: ${sound.output}`);
      const tests = sound.passed.filter((name) => !name.endsWith(".ts"));
      assert.ok(tests.length > 0, `no test of ${check.file} matches ${check.tests}`);
      const buggy = withBug(bug, tree.read(file));
      // What does not parse would be found by any test.
      stripTypeScriptTypes(buggy);
      tree.write(file, buggy);
      try {
        const { failed, output, isOver } = await runTests([check.file], { ...options, untilFailed: true });
        // A run that only takes too long names no check: nothing says that the bug is the reason.
        assert.ok(
          failed.some((name) => tests.includes(name)),
          `missed: ${check.file} ${isOver ? "takes too long" : "passes"} with the bug in ${file}\n${output}`,
        );
      } finally {
        tree.restore(file);
      }
      found.push(bug.name);
    });
  }
});
