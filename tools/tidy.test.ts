import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { file, type Plants } from "./tidy/plant.ts";
import { PLANTED_CODE } from "./tidy/planted-code.ts";
import { PLANTED_DOCUMENTS } from "./tidy/planted-documents.ts";
import { PLANTED_IMPORTS } from "./tidy/planted-imports.ts";
import { type RepoFile, RULES } from "./tidy/problem.ts";
import { traceProblems } from "./tidy/trace-rules.ts";
import { findProblems } from "./tidy.ts";

const plants: Plants = { ...PLANTED_IMPORTS, ...PLANTED_CODE, ...PLANTED_DOCUMENTS };

for (const [title, group] of Object.entries(plants)) {
  describe(`tidy: ${title}`, () => {
    for (const { rule, bad, twin, beside = [] } of group) {
      test(`${rule}: ${bad.path}: ${summary(bad)}`, () => {
        const problems = findProblems([...beside, bad]).filter((problem) => problem.path === bad.path);
        assert.ok(
          problems.some((problem) => problem.rule === rule),
          "the planted problem is found",
        );
        assert.deepEqual(
          findProblems([...beside, twin]).filter((problem) => problem.path === twin.path),
          [],
        );
      });
    }
  });
}

function summary({ text }: RepoFile): string {
  return text.length > 60 ? `${text.length} characters` : text.trim() || "its name";
}

describe("tidy: the rules themselves", () => {
  test("every rule has a planted problem", () => {
    const planted = new Set(
      Object.values(plants)
        .flat()
        .map((plant) => plant.rule),
    );
    assert.deepEqual(
      RULES.filter((rule) => !planted.has(rule)),
      [],
    );
  });

  test("secrets of callers are compared by a function that passes the rule", () => {
    const path = "src/platform/crypto/secrets.ts";
    const text = readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
    assert.match(text, /export function sameBytes/);
    assert.deepEqual(
      findProblems([file(path, text)]).filter(({ rule }) => rule === "secret-comparison"),
      [],
    );
  });

  test("a problem names its line, and an unknown feature the constant to extend", () => {
    const [late] = findProblems([file("src/kernel/a.ts", "\n\nimport {\n  b,\n} from 'pg';\n")]);
    assert.equal(late?.line, 3);
    const [unknown] = findProblems([
      file("src/features/loyalty/index.ts"),
      file("src/features/loyalty/wire.ts"),
    ]);
    assert.match(unknown?.fix ?? "", /FEATURE_ORDER in tools\/tidy\/places\.ts/);
  });

  test("a trace on the allow-list is allowed in its file and in no other", () => {
    const home = ["", "root", "tidegate", "data"].join("/");
    const allowed = [{ path: "docs/a.md", found: home, why: "it is about that folder" }];
    const text = `cd ${home}.`;
    assert.equal(traceProblems(file("docs/a.md", text), allowed).length, 0);
    assert.equal(traceProblems(file("docs/b.md", text), allowed).length, 1);
  });
});
