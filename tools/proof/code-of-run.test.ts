import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { longestFirst, unfinished } from "./code-of-run.ts";
import { proofPage } from "./proof-page.ts";
import type { ProofRecord } from "./record.ts";
import { recorded, recordOf } from "./sample-record.ts";

const names = (proofs: readonly { readonly name: string }[]) => proofs.map(({ name }) => name);
const proofsOf = (...wanted: readonly string[]) => wanted.map((name) => ({ name, hasLongSize: true }));

/** A run without a digest has neither property. */
const beforeDigests = (name: string) => {
  const { product: _, proof: __, ...run } = recorded(name);
  return run;
};

describe("what --continue runs", () => {
  test("is each proof without a long run of this code that passed", () => {
    const runs = [
      recorded("passed"),
      recorded("failed", { verdict: "FAILED" }),
      recorded("skipped", { verdict: "skipped" }),
      recorded("short", { long: false }),
      recorded("other product", { product: "earlier product" }),
      recorded("other proof", { proof: "earlier proof" }),
      beforeDigests("old"),
    ];
    const left = unfinished([...proofsOf(...names(runs)), ...proofsOf("missing")], runs, recordOf(runs));
    assert.deepEqual(names(left), [...names(runs.slice(1)), "missing"]);
  });

  test("is no test of one size that passed in a short run of this code", () => {
    const price = recorded("price", { long: false });
    const proof = { name: "price", hasLongSize: false };
    assert.deepEqual(unfinished([proof], [price], recordOf([price])), []);
    const earlier = { ...price, product: "earlier product" };
    assert.deepEqual(unfinished([proof], [earlier], recordOf([earlier])), [proof]);
  });

  test("begins with what has no run, and then with the longest", () => {
    const runs = [recorded("quick", { seconds: 5 }), recorded("slow", { seconds: 5_000 }), recorded("fair")];
    const proofs = proofsOf("quick", "new", "fair", "slow");
    assert.deepEqual(names(longestFirst(proofs, runs)), ["new", "slow", "fair", "quick"]);
  });
});

describe("the page of runs of several codes", () => {
  const runs = [
    recorded("kill", { invariants: ["I1", "I2"] }),
    recorded("races", { invariants: ["I2", "I3"], product: "earlier product" }),
    recorded("rolling", { invariants: ["I4"], proof: "earlier proof" }),
    { ...beforeDigests("backup"), invariants: ["I5"] as const },
  ];
  const pageOf = (record: ProofRecord) => proofPage(record, proofsOf(...names(record.runs)));
  const page = pageOf(recordOf(runs));
  const factOf = (what: string, from = page) => new RegExp(`^\\| ${what} \\| (.*) \\|$`, "m").exec(from)?.[1];

  test("says how many are of this code, and which are of earlier code or of a proof that has changed", () => {
    assert.match(factOf("This code") ?? "", /^digest `this product` of src, browser, migrations/);
    assert.equal(factOf("Runs of this code"), "1 of 4 proofs");
    assert.equal(factOf("Runs of earlier code"), "2 proofs (1 without a digest): races, backup");
    assert.equal(factOf("Proofs changed since their run"), "rolling");
  });

  test("counts the invariants of this code apart from those of earlier runs", () => {
    assert.match(
      factOf("Verdict") ?? "",
      /^2 of 27 invariants shown by runs of this code, 3 more by earlier runs alone; none broken;/,
    );
    assert.match(page, /^\| I1 \|.*\| holds \| kill \|$/m);
    assert.match(page, /^\| I2 \|.*\| holds \| kill \|$/m);
    for (const [id, by] of [
      ["I3", "races"],
      ["I4", "rolling"],
      ["I5", "backup"],
    ])
      assert.match(page, new RegExp(`^\\| ${id} \\|.*\\| held in earlier runs \\| ${by} \\|$`, "m"));
    assert.match(page, /^\| I6 \|.*\| not shown \| {2}\|$/m);
  });

  test("says of each run what it is of", () => {
    const codeOf = (name: string, from = page) =>
      new RegExp(`^\\| ${name} \\| about .* \\| ([^|]*) \\|$`, "m").exec(from)?.[1];
    assert.deepEqual(
      ["kill", "races", "rolling", "backup"].map((name) => codeOf(name)),
      ["this", "earlier", "this, proof changed since", "earlier, without a digest"],
    );
    const both = recorded("races", { product: "earlier product", proof: "earlier proof" });
    assert.equal(codeOf("races", pageOf(recordOf([both]))), "earlier, proof changed since");
    const kills = recorded("mixed-kills", { counts: { kills: 2_000 }, product: "earlier product" });
    assert.match(pageOf(recordOf([kills])), /^\| nodes killed at random .*\| mixed-kills \(earlier\) \|$/m);
  });

  test("has no earlier run after a whole run of one code", () => {
    const whole = pageOf(recordOf(runs.slice(0, 1)));
    assert.equal(factOf("Runs of this code", whole), "1 of 1 proofs");
    assert.equal(factOf("Runs of earlier code", whole), "none");
    assert.equal(factOf("Proofs changed since their run", whole), undefined);
  });

  test("counts a failure of earlier code until its proof has passed", () => {
    const failed = recorded("races", { product: "earlier product", verdict: "FAILED", broken: ["I1"] });
    const failing = pageOf(recordOf([recorded("kill"), failed]));
    assert.match(failing, /^\| I1 \|.*\| BROKEN \| races \|$/m);
    assert.match(factOf("Verdict", failing) ?? "", /^0 of 27 .*; broken or in doubt: I1; FAILED: races;/);
  });
});
