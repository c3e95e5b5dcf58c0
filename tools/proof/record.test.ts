import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { proofPage } from "./proof-page.ts";
import { mergeRecord, type Recorded } from "./record.ts";

const recorded = (name: string, commit: string, change: Partial<Recorded> = {}): Recorded => ({
  name,
  about: `about ${name}`,
  invariants: ["I1"],
  broken: [],
  counts: { kills: 10 },
  most: {},
  verdict: "passed",
  skipped: [],
  seconds: 60,
  long: true,
  seed: 7,
  startedAt: "2026-11-16T09:00:00.000Z",
  machine: { cores: 2, memoryGb: 8, cpu: "x", node: "24", postgres: "18", commit },
  ...change,
});

const NAMES = ["kill", "races", "rolling"];

describe("a long run that is made in parts", () => {
  const known = [recorded("races", "aaa"), recorded("rolling", "aaa"), recorded("retired", "aaa")];

  test("renews its own proofs, keeps the others with their commits, and drops those that are no more", () => {
    const merged = mergeRecord(known, [recorded("kill", "bbb"), recorded("races", "bbb")], NAMES);
    assert.deepEqual(
      merged.map(({ name, machine }) => [name, machine.commit]),
      [
        ["kill", "bbb"],
        ["races", "bbb"],
        ["rolling", "aaa"],
      ],
    );
    const page = proofPage(merged);
    assert.match(page, /\| kill \|.*\| long, seed 7, 2026-11-16, commit bbb \|/);
    assert.match(page, /\| rolling \|.*\| long, seed 7, 2026-11-16, commit aaa \|/);
    assert.match(page, /\| Done \| 30 kills \|/);
  });

  test("is not replaced by a short run that passed, but by one that failed", () => {
    const passed = recorded("races", "bbb", { long: false });
    const failed = recorded("races", "ccc", { long: false, verdict: "FAILED", broken: ["I1"] });
    assert.equal(mergeRecord(known, [passed], NAMES)[0]?.machine.commit, "aaa");
    const merged = mergeRecord(known, [failed], NAMES);
    assert.equal(merged[0]?.machine.commit, "ccc");
    assert.match(proofPage(merged), /\| I1 \|.*\| BROKEN \| races \|/);
  });

  test("keeps what passed where this machine cannot run it", () => {
    const skipped = recorded("races", "bbb", {
      verdict: "skipped",
      skipped: ["a program is missing"],
      counts: {},
    });
    assert.equal(mergeRecord(known, [skipped], NAMES)[0]?.machine.commit, "aaa");
    const failed = [recorded("races", "aaa", { verdict: "FAILED" })];
    assert.equal(mergeRecord(failed, [skipped], NAMES)[0]?.machine.commit, "bbb");
    assert.equal(mergeRecord([], [skipped], NAMES)[0]?.verdict, "skipped");
  });

  test("replaces what a short run showed", () => {
    const short = [recorded("kill", "aaa", { long: false })];
    assert.equal(mergeRecord(short, [recorded("kill", "bbb")], NAMES)[0]?.machine.commit, "bbb");
  });
});
