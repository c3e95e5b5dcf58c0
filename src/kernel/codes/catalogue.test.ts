import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { Refusal, refuse, refuseAll } from "../refusal.ts";
import { CATALOGUE, CODES_BY_ID, codeId } from "./catalogue.ts";

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
