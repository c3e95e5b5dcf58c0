import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { OF_ONE_SERVER, TWO_NODES } from "./suites.ts";

const all = globSync("tests/**/*.test.ts");

test("the suites of `npm run citus` name files that exist", () => {
  for (const one of [...OF_ONE_SERVER, ...TWO_NODES])
    assert.ok(
      all.some((file) => file === one || (one.endsWith("/") && file.startsWith(one))),
      one,
    );
});

test("every fault test that knows of a cluster is run there, or named as one of a single server", () => {
  const know = all.filter(
    (file) => file.startsWith("tests/faults/") && /\bCITUS_URL\b/.test(readFileSync(file, "utf8")),
  );
  assert.ok(know.length > 3);
  assert.deepEqual(
    know.filter((file) => ![...TWO_NODES, ...OF_ONE_SERVER].includes(file)),
    [],
  );
});
