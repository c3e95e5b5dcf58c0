import assert from "node:assert/strict";
import { test } from "node:test";
import { LANGUAGE_TAG, LONGEST_TAG } from "./language-tag.ts";

test("RFC 5646, section 4.4.1: a tag may have a language, a script, a region and two variants, each as long as it can be", () => {
  const longest = "language-Latn-001-variant1-variant2";
  assert.match(longest, new RegExp(LANGUAGE_TAG));
  assert.equal(longest.length, LONGEST_TAG);
});
