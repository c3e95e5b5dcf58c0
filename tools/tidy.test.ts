import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type RepoFile, RULES } from "./tidy/offence.ts";
import { file, type Plants } from "./tidy/plant.ts";
import { PLANTED_CODE } from "./tidy/planted-code.ts";
import { PLANTED_DOCUMENTS } from "./tidy/planted-documents.ts";
import { PLANTED_IMPORTS } from "./tidy/planted-imports.ts";
import { traceOffences } from "./tidy/trace-rules.ts";
import { findOffences } from "./tidy.ts";

const plants: Plants = { ...PLANTED_IMPORTS, ...PLANTED_CODE, ...PLANTED_DOCUMENTS };

for (const [title, group] of Object.entries(plants)) {
  describe(`tidy: ${title}`, () => {
    for (const { rule, bad, twin, beside = [] } of group) {
      test(`${rule}: ${bad.path}: ${summary(bad)}`, () => {
        const offences = findOffences([...beside, bad]).filter((offence) => offence.path === bad.path);
        assert.ok(
          offences.some((offence) => offence.rule === rule),
          "the planted offence is found",
        );
        assert.deepEqual(
          findOffences([...beside, twin]).filter((offence) => offence.path === twin.path),
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
  test("every rule has a planted offence", () => {
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

  test("an offence names its line, and an unknown feature the constant to extend", () => {
    const [late] = findOffences([file("src/kernel/a.ts", "\n\nimport {\n  b,\n} from 'pg';\n")]);
    assert.equal(late?.line, 3);
    const [unknown] = findOffences([
      file("src/features/loyalty/index.ts"),
      file("src/features/loyalty/wire.ts"),
    ]);
    assert.match(unknown?.mend ?? "", /FEATURE_ORDER in tools\/tidy\/places\.ts/);
  });

  test("a trace on the allow-list is allowed in its file and in no other", () => {
    const home = ["", "root", "tidegate", "data"].join("/");
    const allowed = [{ path: "docs/a.md", found: home, why: "it is about that folder" }];
    const text = `cd ${home}.`;
    assert.equal(traceOffences(file("docs/a.md", text), allowed).length, 0);
    assert.equal(traceOffences(file("docs/b.md", text), allowed).length, 1);
  });
});
