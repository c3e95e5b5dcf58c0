import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { scan } from "./scan.ts";

describe("tidy: the scanner", () => {
  const found = (text: string): readonly string[] => scan(text).imports.map((one) => one.text);

  test("every way to import is seen", () => {
    assert.deepEqual(found('import a from "a";import{b}from"b"\nimport * as c from \'c\';'), ["a", "b", "c"]);
    assert.deepEqual(found('import type { A } from "a";\nexport type { B } from "b";'), ["a", "b"]);
    assert.deepEqual(found('import {\n  // from "no"\n  a, /* from "no" */\n  type b,\n} from "yes";'), [
      "yes",
    ]);
    assert.deepEqual(found('import "a"; await import("b"); type C = import("c").C; require("d");'), [
      "a",
      "b",
      "c",
      "d",
    ]);
    assert.deepEqual(found('import a from "a.json" with { type: "json" };'), ["a.json"]);
  });

  test("what only looks like an import is not seen", () => {
    assert.deepEqual(found("// import a from \"a\"\n/* import 'b' */ const c = 'import \"c\"';"), []);
    assert.deepEqual(
      found('const a = `import "a" ${"import"} from "b"`; loader.import("c"); import.meta.url;'),
      [],
    );
    assert.deepEqual(found('export const from = "a"; const x = { import: "b" };'), []);
  });

  test("quotes in regular expressions, templates in templates and apostrophes in JSX end where they end", () => {
    assert.deepEqual(found("const a = /[\"'`/]/; import 'a';"), ["a"]);
    assert.deepEqual(found("const a = b / c; const d = `${e / f}`; import 'a';"), ["a"]);
    assert.deepEqual(found("const a = `x ${f({ b: `y ${'}'} z` })} w`; import 'a';"), ["a"]);
    assert.deepEqual(found("const a = <p>Don't</p>;\nconst b = <br />;\nimport 'a';"), ["a"]);
  });
});
