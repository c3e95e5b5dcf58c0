import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { PLANTED_BUGS } from "../tests/proofs/planted-bugs/all-bugs.ts";
import { withBug } from "../tests/proofs/planted-bugs/planted-bug.ts";

const fromRoot = (path: string) => new URL(`../${path}`, import.meta.url);

test("every planted bug applies, and its check is there: `npm run planted-bugs` would fail", () => {
  assert.ok(PLANTED_BUGS.length >= 24);
  assert.equal(new Set(PLANTED_BUGS.map(({ name }) => name)).size, PLANTED_BUGS.length);
  for (const bug of PLANTED_BUGS) {
    const text = readFileSync(fromRoot(bug.file), "utf8");
    assert.notEqual(withBug(bug, text), text);
    assert.ok(existsSync(fromRoot(bug.check.file)), bug.check.file);
  }
});
