import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { Refusal, refuse, refuseAll } from "../refusal.ts";
import { CATALOGUE, CODES_BY_ID, codeId } from "./catalogue.ts";
import { answerWith, findOutcome, isApproval, outcomeOf } from "./outcomes.ts";
import { presentCode, presentOutcomeCode } from "./present-code.ts";

/** The published page, which is committed: a code that changes its number, name or status changes a published promise. */
const PUBLISHED = [
  ...readFileSync(new URL("../../../docs/generated/codes.md", import.meta.url), "utf8").matchAll(
    /^\| `([SV]\d{5})` \| `(\w+)` \| (\d{3}) \|/gm,
  ),
].map(([, id, message, status]) => ({ id, message, status: Number(status) }));

describe("the catalogue of codes", () => {
  test("has the numbers, names and statuses that are published", () => {
    const own = Object.entries(CODES_BY_ID).map(([id, { message, status }]) => ({ id, message, status }));
    assert.ok(own.length > 100);
    assert.deepEqual(own, PUBLISHED);
  });

  test("lists codes in the order of their numbers, each once", () => {
    const ids = Object.keys(CODES_BY_ID);
    assert.deepEqual(ids, ids.toSorted());
    assert.equal(ids.length, Object.keys(CATALOGUE).length);
    assert.equal(codeId("body_reference_invalid"), "V10004");
  });
});

describe("a refusal", () => {
  test("has the status of its first problem, and all problems", () => {
    const problems = [
      { code: "system_unavailable" },
      { code: "body_reference_invalid", field: "/reference" },
    ] as const;
    assert.throws(
      () => refuseAll(problems),
      (error) => {
        assert.ok(error instanceof Refusal);
        assert.deepEqual([error.status, error.problems], [503, problems]);
        assert.equal(error.message, "system_unavailable, body_reference_invalid");
        return true;
      },
    );
    refuseAll([]);
  });

  test("names a field only where there is one", () => {
    const problemsOf = (work: () => void) => {
      try {
        work();
      } catch (error) {
        return (error as Refusal).problems;
      }
      return undefined;
    };
    assert.deepEqual(
      problemsOf(() => refuse("system_error")),
      [{ code: "system_error" }],
    );
    assert.deepEqual(
      problemsOf(() => refuse("body_reference_invalid", "/reference")),
      [{ code: "body_reference_invalid", field: "/reference" }],
    );
  });
});

describe("an outcome at a bank", () => {
  test("is an approval or a decline", () => {
    assert.deepEqual(answerWith("approved_vip"), { kind: "approved", code: "approved_vip" });
    assert.deepEqual(answerWith("lost_card"), { kind: "declined", code: "lost_card" });
    assert.deepEqual([isApproval("approved"), isApproval("declined")], [true, false]);
  });

  test("is known by its number", () => {
    assert.deepEqual([findOutcome("A02000"), outcomeOf("D04405")], ["approved", "do_not_honour"]);
    assert.equal(findOutcome("D00000"), undefined);
    assert.throws(() => outcomeOf("D00000"), /not an outcome/);
  });
});

describe("a code in an answer", () => {
  const shop = "https://pay.example";

  test("links to its place on the page of codes", () => {
    const { id, message, docs } = presentCode("body_reference_invalid", shop);
    assert.deepEqual([id, message], ["V10004", "body_reference_invalid"]);
    assert.equal(docs, "https://pay.example/docs/codes#V10004");
    assert.equal(presentOutcomeCode("approved", shop).docs, "https://pay.example/docs/codes#A02000");
  });

  test("gives a merchant advice after a refund that has no payer in it", () => {
    const payment = presentOutcomeCode("insufficient_funds", shop).detail;
    const refund = presentOutcomeCode("insufficient_funds", shop, "operation").detail;
    assert.match(payment, /payer/);
    assert.doesNotMatch(refund, /payer/);
    assert.match(presentOutcomeCode("target_account_closed", shop, "operation").detail, /another way/);
    assert.match(presentOutcomeCode("approved", shop, "operation").detail, /^Nothing is left to do/);
  });
});
