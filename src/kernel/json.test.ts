import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { describeJsonProblem, isObject, JSON_DEPTH, JSON_NODES, jsonIn, readJson } from "./json.ts";

const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
const problemOf = (text: string) => readJson(text).problem;

describe("JSON from outside", () => {
  test("reads whatever JSON.parse reads", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), (text) => {
        // A generated object can hold a name once only, so nothing is refused.
        assert.deepEqual(readJson(text), { value: JSON.parse(text) });
      }),
    );
  });

  test("is the value alone for callers with one answer to every problem", () => {
    assert.deepEqual(jsonIn('{"a":[1]}'), { a: [1] });
  });

  test("accepts the deepest nesting and refuses one level more, with its place", () => {
    assert.equal(problemOf(nested(JSON_DEPTH)), undefined);
    assert.deepEqual(problemOf(nested(JSON_DEPTH + 1)), {
      kind: "too_deep",
      pointer: "/0".repeat(JSON_DEPTH),
    });
    const objects = `${'{"a/b":'.repeat(JSON_DEPTH + 1)}1${"}".repeat(JSON_DEPTH + 1)}`;
    assert.deepEqual(problemOf(objects), { kind: "too_deep", pointer: "/a~1b".repeat(JSON_DEPTH) });
    assert.equal(problemOf(nested(100_000))?.kind, "too_deep");
  });

  test("accepts the largest number of values and refuses one more", () => {
    const items = (count: number) => `{"a":[${Array(count).fill(1).join()}]}`;
    assert.equal(problemOf(items(JSON_NODES - 1)), undefined);
    assert.deepEqual(problemOf(items(JSON_NODES)), { kind: "too_many", pointer: "/a" });
  });

  for (const [text, words] of [
    ["{", "is not JSON"],
    ['{"a":1,"a":1}', "has a name twice at /a"],
    [`${"[".repeat(33)}${"]".repeat(33)}`, "is nested deeper than 32 levels at /0/0"],
    [
      `[${Array(JSON_NODES + 1)
        .fill(1)
        .join()}]`,
      "has more than 10000 values",
    ],
  ] as const) {
    test(`says that a text ${words}`, () => {
      const { problem } = readJson(text);
      assert.ok(problem !== undefined && describeJsonProblem(problem).startsWith(words));
      assert.equal(jsonIn(text), undefined);
    });
  }

  for (const [text, pointer] of [
    ['{"a":1,"a":1}', "/a"],
    ['{"a":1,"\\u0061":2}', "/a"],
    ['{"x":[0,{"b":{"c":1,"d":"c","c" \n\t: 2}}]}', "/x/1/b/c"],
    ['{"__proto__":1,"__proto__":1}', "/__proto__"],
    ['{"":1,"":1}', "/"],
    ['{"a":"b","b":1,"c":1,"c":1}', "/c"],
    ['[{"a":1},{"a":1,"b":[[],{}],"b":1}]', "/1/b"],
  ] as const) {
    test(`refuses a repeated name: ${text}`, () =>
      assert.deepEqual(problemOf(text), { kind: "repeated_name", pointer }));
  }

  for (const text of [
    '{"a":"{\\"a\\":1}","b":{"a":1}}',
    '[{"a":1},{"a":1}]',
    '{"a":":","b":"\\\\"}',
    '{"a":1,"A":1}',
    '{"constructor":1,"__proto__":1,"toString":1}',
  ]) {
    test(`accepts names that only look repeated: ${text}`, () =>
      assert.deepEqual(readJson(text), { value: JSON.parse(text) }));
  }
});

test("an object is neither null nor a list nor a plain value", () => {
  for (const value of [{}, { a: 1 }, Object.create(null)]) assert.equal(isObject(value), true);
  for (const value of [null, undefined, [], [{}], "a", 1, true]) assert.equal(isObject(value), false);
});
