import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { describe, test } from "node:test";
import { ownSizes } from "../../tests/support/proof.ts";
import { findProofs } from "./find-proofs.ts";
import { proofPage } from "./proof-page.ts";
import { mergeRecord, type Recorded } from "./record.ts";
import { recordOf, recorded as sampleRun } from "./sample-record.ts";

const recorded = (name: string, commit: string, change: Partial<Recorded> = {}): Recorded => {
  const run = sampleRun(name, { counts: { kills: 10 }, ...change });
  return { ...run, machine: { ...run.machine, commit } };
};

const proofOf = (name: string) => ({ name, hasLongSize: true });
const PROOFS = ["kill", "races", "rolling"].map(proofOf);
const TEST = { name: "price", hasLongSize: false };

describe("a long run that is made in parts", () => {
  const known = [recorded("races", "aaa"), recorded("rolling", "aaa"), recorded("retired", "aaa")];

  test("renews its own proofs, keeps the others with their commits, and drops those that are no more", () => {
    const merged = mergeRecord(known, [recorded("kill", "bbb"), recorded("races", "bbb")], PROOFS);
    assert.deepEqual(
      merged.map(({ name, machine }) => [name, machine.commit]),
      [
        ["kill", "bbb"],
        ["races", "bbb"],
        ["rolling", "aaa"],
      ],
    );
    const page = proofPage(recordOf(merged), PROOFS);
    assert.match(page, /\| kill \|.*\| long, seed 7, 2026-11-16, commit bbb \| this \|/);
    assert.match(page, /\| rolling \|.*\| long, seed 7, 2026-11-16, commit aaa \|/);
  });

  test("is not replaced by a short run that passed, but by one that failed", () => {
    const passed = recorded("races", "bbb", { long: false });
    const failed = recorded("races", "ccc", { long: false, verdict: "FAILED", broken: ["I1"] });
    assert.equal(mergeRecord(known, [passed], PROOFS)[0]?.machine.commit, "aaa");
    const merged = mergeRecord(known, [failed], PROOFS);
    assert.equal(merged[0]?.machine.commit, "ccc");
    assert.match(proofPage(recordOf(merged), PROOFS), /\| I1 \|.*\| BROKEN \| races \|/);
  });

  test("keeps what passed or failed where this machine cannot run it", () => {
    const skipped = recorded("races", "bbb", {
      verdict: "skipped",
      skipped: ["a program is missing"],
      counts: {},
    });
    assert.equal(mergeRecord(known, [skipped], PROOFS)[0]?.machine.commit, "aaa");
    const failed = [recorded("races", "aaa", { verdict: "FAILED" })];
    assert.equal(mergeRecord(failed, [skipped], PROOFS)[0]?.verdict, "FAILED");
    assert.equal(mergeRecord([], [skipped], PROOFS)[0]?.verdict, "skipped");
  });

  test("replaces what a short run showed", () => {
    const short = [recorded("kill", "aaa", { long: false })];
    assert.equal(mergeRecord(short, [recorded("kill", "bbb")], PROOFS)[0]?.machine.commit, "bbb");
  });
});

describe("the page", () => {
  const all = [recorded("kill", "aaa"), recorded("races", "aaa"), recorded("rolling", "aaa")];
  const verdictOf = (page: string) => /^\| Verdict \| (.*) \|$/m.exec(page)?.[1] ?? "";

  test("says no more than the verdict when every proof had a long run", () => {
    const page = proofPage(recordOf(all), PROOFS);
    assert.match(
      verdictOf(page),
      /^1 of 27 invariants shown by runs of this code, 0 more by earlier runs alone; none broken; runs at 1 commit, the oldest of 2026-11-16$/,
    );
    assert.doesNotMatch(page, /not run \| {2}\|/);
  });

  test("names the proofs without a record, with a short run and those that this machine cannot run", () => {
    const short = recorded("races", "aaa", { long: false });
    const skipped = recorded("rolling", "aaa", { verdict: "skipped", skipped: ["no tag"] });
    const page = proofPage(recordOf([short, skipped]), PROOFS);
    assert.match(page, /^\| kill \|.*\| not run \|.*$/m);
    assert.match(
      verdictOf(page),
      /; 3 of 3 proofs have no long run: kill \(not run\), races \(short\), rolling \(skipped\);/,
    );
  });

  test("names a proof of which a part was skipped", () => {
    const partly = recorded("rolling", "aaa", { skipped: ["no tag"] });
    assert.match(verdictOf(proofPage(recordOf([partly]), PROOFS)), /; parts skipped of rolling;/);
  });

  test("calls what has one size a test, which a long run does not make long", () => {
    const page = proofPage(recordOf([...all, recorded("price", "aaa")]), [...PROOFS, TEST]);
    assert.match(page, /\| price \|.*\| test, seed 7, 2026-11-16, commit aaa \|/);
    assert.doesNotMatch(verdictOf(page), /no run|no long run/);
    const without = proofPage(recordOf(all), [...PROOFS, TEST]);
    assert.match(verdictOf(without), /; 1 of 1 tests have no run: price \(not run\);/);
  });

  test("names a proof that failed without an invariant", () => {
    const failed = recorded("kill", "aaa", { verdict: "FAILED", invariants: [] });
    assert.match(verdictOf(proofPage(recordOf([failed, ...all.slice(1)]), PROOFS)), /; FAILED: kill;/);
  });

  test("links the mutation score, with what has no test", () => {
    const mutations = {
      ...{ seed: 7, mutants: 1_000, withoutTest: 100, withoutTestPercent: 10, tried: 200 },
      ...{ killed: 150, timedOut: 4, survived: 46, scorePercent: 75, scoreOfAllPercent: 67.5 },
      ...{ survivors: [], filesWithoutTest: {} },
    };
    const page = proofPage(recordOf(all), PROOFS, mutations);
    assert.match(page, /150 of 200 .* \(75%, 4 timed out\); of 1,000 in all, 100 \(10%\) had no test/);
    assert.match(page, /67\.5%: \[mutations\.json\]\(mutations\.json\)/);
    assert.match(proofPage(recordOf(all), PROOFS), /^\| Mutations \| not run \|$/m);
  });
});

describe("a test", () => {
  test("is renewed by any run, also where a long run recorded it", () => {
    const merged = mergeRecord(
      [recorded("price", "aaa")],
      [recorded("price", "bbb", { long: false })],
      [TEST],
    );
    assert.equal(merged[0]?.machine.commit, "bbb");
  });
});

test("a run with a size of its own is not written", () => {
  assert.deepEqual(ownSizes({ TIDEGATE_PROOF: "long", TIDEGATE_PROOF_TRIALS: "100" }), [
    "TIDEGATE_PROOF_TRIALS",
  ]);
  assert.deepEqual(ownSizes({ TIDEGATE_PROOF: "long" }), []);
  const sized = { ...process.env, TIDEGATE_MODEL_SEQUENCES: "1" };
  for (const words of [["--long", "--only", "api-model", "--write"], ["--long"]]) {
    const { status, stderr } = spawnSync(process.execPath, ["tools/proof.ts", ...words], {
      env: sized,
      encoding: "utf8",
    });
    assert.equal(status, 2);
    assert.match(stderr, /unset TIDEGATE_MODEL_SEQUENCES/);
  }
});

describe("the proofs there are", () => {
  test("have a name each, and an invariant where they declare none themselves", () => {
    const proofs = findProofs();
    assert.equal(new Set(proofs.map(({ name }) => name)).size, proofs.length);
    for (const { file, invariants } of proofs)
      assert.equal(invariants.length > 0, !file.startsWith("tests/proofs/"), file);
  });

  test("have a long size where they ask for their size", () => {
    const sizeOf = (wanted: string) => findProofs().find(({ name }) => name === wanted)?.hasLongSize;
    assert.deepEqual(["later-races", "openapi-fuzz", "api-model", "customers", "backup"].map(sizeOf), [
      true,
      true,
      true,
      false,
      false,
    ]);
  });
});
