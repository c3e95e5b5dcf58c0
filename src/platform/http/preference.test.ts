import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { preferenceOf } from "./preference.ts";

const CASES: readonly (readonly [accept: string | undefined, preferred: "html" | "json" | undefined])[] = [
  ["text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8", "html"],
  ["text/html", "html"],
  ["TEXT/HTML", "html"],
  ["text/*", "html"],
  ["text/html;q=0.2, */*;q=0.1", "html"],
  ["application/json;q=0.9, text/html", "html"],
  ["text/html;level=1", "html"],
  ["application/json", "json"],
  ["application/json, text/plain, */*", undefined],
  ["text/html;q=0.5, application/json", "json"],
  ["text/html;q=0, */*", "json"],
  ["text/html ; q=0.1 , application/json ; q=0.2", "json"],
  ["text/html, application/json", undefined],
  ["*/*", undefined],
  [undefined, undefined],
  ["", undefined],
  ["image/png", undefined],
  ["text/html;q=2", undefined],
  ["text/html;q=", undefined],
  ["text/html;q=0.5, text/html;q=0.9, application/json;q=0.7", "html"],
];

describe("contract 2: a page or JSON", () => {
  for (const [accept, preferred] of CASES) {
    test(`${accept ?? "no header"}: ${preferred ?? "no preference"}`, () => {
      assert.equal(preferenceOf(accept), preferred);
    });
  }

  test("reads a header of 16 KB at once", () => {
    const start = performance.now();
    preferenceOf("text/html;q=0.1,".repeat(1_000));
    assert.ok(performance.now() - start < 100);
  });
});
