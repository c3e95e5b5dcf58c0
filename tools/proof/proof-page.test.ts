import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { inWords } from "./judge.ts";
import { proofPage } from "./proof-page.ts";
import type { Recorded } from "./record.ts";
import { recorded, recordOf } from "./sample-record.ts";

const pageOf = (...record: readonly Recorded[]) =>
  proofPage(
    recordOf(record),
    record.map(({ name }) => ({ name, hasLongSize: true })),
  );

describe("the table of faults", () => {
  const kills = recorded("mixed-kills", {
    counts: { kills: 2_000, payments: 10_000 },
    most: { "seconds to settle": 46.2 },
  });

  test("has each figure from the proof that it names, and no row for a proof that never ran", () => {
    const other = recorded("pay-kills", { counts: { kills: 100, payments: 375 } });
    const page = pageOf(kills, other);
    assert.match(
      page,
      /^\| nodes killed .* \| 2,000 kills, 10,000 payments \| .* \| 46\.2 s \| mixed-kills \|$/m,
    );
    assert.doesNotMatch(page, /database killed/);
  });

  test("adds up the trials of races alone", () => {
    const races = [
      recorded("later-races", {
        counts: { trials: 20, "racing calls": 30 },
        most: { "seconds to settle": 3 },
      }),
      recorded("payment-races", {
        counts: { trials: 1, "racing calls": 2 },
        most: { "seconds to settle": 2 },
      }),
    ];
    assert.match(
      pageOf(...races),
      /\| 21 trials, 32 racing calls \| .* \| 3 s \| later-races, payment-races \|/,
    );
  });

  test("says how many of the writing statements a crash interrupted, as far as the run says it", () => {
    const missed = { "writing statements that no crash interrupted": 98 };
    const counts = { "crash points": 463, kills: 1_868 };
    const rowOf = (change: Partial<Recorded>) =>
      /^\| nodes killed at statements .*$/m.exec(
        pageOf(recorded("crash-points", { counts, ...change })),
      )?.[0];
    const all = { "writing statements": 178 };
    for (const both of [{ most: { ...missed, ...all } }, { most: missed, counts: { ...counts, ...all } }])
      assert.match(
        rowOf(both) ?? "",
        /\| 463 crash points, 1,868 kills, 80 of 178 writing statements interrupted \|/,
      );
    const renamed = { "writing statements without a crash point": 97, ...all };
    assert.match(rowOf({ most: renamed }) ?? "", /1,868 kills, 81 of 178 writing statements interrupted \|/);
    assert.match(rowOf({ most: missed }) ?? "", /1,868 kills, 98 writing statements not interrupted \|/);
    assert.match(rowOf({}) ?? "", /\| 463 crash points, 1,868 kills \|/);
  });

  test("says what failed and which run was short, and leaves out what was skipped", () => {
    const failed = pageOf(recorded("mixed-kills", { counts: { kills: 12 }, verdict: "FAILED", long: false }));
    assert.match(failed, /\| 12 kills \| FAILED: mixed-kills \| {2}\| mixed-kills \(short\) \|/);
    const skipped = pageOf(recorded("mixed-kills", { verdict: "skipped", skipped: ["no database"] }));
    assert.doesNotMatch(skipped, /nodes killed/);
  });
});

describe("the verdict line", () => {
  const verdictOf = (...record: readonly Recorded[]) =>
    /^\| Verdict \| (.*) \|$/m.exec(pageOf(...record))?.[1];
  const at = (commit: string) => ({ machine: { ...recorded("x").machine, commit } });

  test("says at how many commits the runs were, and the date of the oldest", () => {
    const records = [
      recorded("one", { ...at("bbb"), startedAt: "2026-11-17T09:00:00.000Z" }),
      recorded("two", at("aaa and changes")),
      recorded("three", at("aaa")),
    ];
    assert.match(verdictOf(...records) ?? "", /; runs at 2 commits, the oldest of 2026-11-16$/);
  });
});

describe("the page", () => {
  test("names three of the proofs that show an invariant, and how many there are", () => {
    const page = pageOf(...["a", "b", "c", "d"].map((name) => recorded(name)));
    assert.match(page, /^\| I1 \|.*\| holds \| 4: a, b, c… \|$/m);
    assert.match(pageOf(recorded("a")), /^\| I1 \|.*\| holds \| a \|$/m);
  });

  test("names each machine once, in plain words", () => {
    const machine = { cores: 2, memoryGb: 24, node: "24.1.0", postgres: "18.4", commit: "aaa" };
    const on = (name: string, cpu: string) => recorded(name, { machine: { ...machine, cpu } });
    const page = pageOf(
      on("a", "Intel(R) Xeon(R) Processor"),
      on("b", "Intel(R) Xeon(R) Processor"),
      on("c", "Intel(R) Xeon(R) CPU @ 2.50GHz"),
    );
    assert.match(
      page,
      /^\| Machine \| 2 cores \(Intel Xeon\), 24 GB of memory; 2 cores \(Intel Xeon at 2\.50 GHz\), 24 GB of memory; Node\.js 24\.1\.0 with PostgreSQL 18\.4 \|$/m,
    );
  });

  test("has the first and the last quarter of a long life side by side", () => {
    const most = {
      "heap MB in the first quarter": 57,
      "heap MB in the last quarter": 58.5,
      "seconds to settle": 13.6,
    };
    const page = pageOf(recorded("long-life", { most }));
    assert.match(page, /^\| heap MB \| 57 \| 58\.5 \| 1\.05 × first \+ 3 \|$/m);
    assert.match(page, /^\| long-life \| about long-life \| {2}\| seconds to settle: 13\.6 \|/m);
    assert.doesNotMatch(pageOf(recorded("long-life", { most: { "heap MB": 57 } })), /First quarter/);
  });

  test("has each pair that raced in a table of its own", () => {
    const races = [
      { pair: "pay and cancel", trials: 2_000, calls: 21_345, rarest: 0.1 },
      { pair: "pay and pay", trials: 2_000, calls: 9 },
    ];
    const page = pageOf(recorded("payment-races", { pairs: races }), recorded("kill"));
    assert.match(page, /^## Races$/m);
    assert.match(page, /^\| pay and cancel \| 2,000 \| 21,345 \| 0\.1% \| payment-races \|$/m);
    assert.match(page, /^\| pay and pay \| 2,000 \| 9 \| {2}\| payment-races \|$/m);
    assert.doesNotMatch(pageOf(recorded("payment-races")), /## Races/);
  });

  test("has what a mixed load did in a table of its own", async () => {
    const { KINDS } = await import("../../tests/support/mixed-load/answered.ts");
    const counts = { payments: 9, ...Object.fromEntries(KINDS.map((kind) => [kind, 4])), kills: 3 };
    const page = pageOf(recorded("crash-points", { counts }));
    assert.match(page, /^\| crash-points \| about crash-points \| 9 payments, 3 kills \|/m);
    assert.match(page, /^\| Done and kept \| crash-points \|\n\| --- \| --- \|\n\| card payments \| 4 \|$/m);
    assert.doesNotMatch(pageOf(recorded("failover", { counts: { captures: 3 } })), /Done and kept/);
  });
});

test("one of something is in the singular", () => {
  const counts = { restores: 1, "migrations crossed": 1, "repeated deliveries": 1, "full disks": 1 };
  assert.equal(inWords(counts), "1 restore, 1 migration crossed, 1 repeated delivery, 1 full disk");
  assert.equal(inWords({ "faults of Adyen's API": 1, kills: 2_000 }), "1 fault of Adyen's API, 2,000 kills");
});
