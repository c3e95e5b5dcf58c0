import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { describe, test } from "node:test";

describe("end-tracking", () => {
  test("no describe is asynchronous: its tests would be lost without the runner's tracking", () => {
    const files = globSync("{src,browser,tools,tests}/**/*.test.{ts,tsx}");
    assert.ok(files.length > 300, `${files.length} files`);
    const asynchronous = /\bdescribe(?:\.\w+)?\((?:[^()]|\([^()]*\))*?\basync\b\s*(?:\(\)|function|\w+\s*=>)/;
    const found = files.filter((file) =>
      readFileSync(file, "utf8")
        .split("\n")
        .some((line) => /^\s*describe\b/.test(line) && asynchronous.test(line)),
    );
    assert.deepEqual(found, []);
    assert.match('describe("a (b)", { timeout: 1 }, async () => {', asynchronous);
    assert.doesNotMatch('describe("async things", () => {', asynchronous);
  });
});
