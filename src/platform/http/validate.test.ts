import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { flag, formatted, integer, list, nullable, object, oneOf, optional, text } from "./schema.ts";
import { compileValidator, withRules } from "./validate.ts";

const inner = object(
  { code: "V11100" },
  { amount: integer({ code: "V11101", min: 1, max: 9 }), note: optional(text({ code: "V11103", max: 3 })) },
);
const check = compileValidator(
  object(
    { code: "V11005" },
    {
      payment: inner,
      methods: optional(
        list(
          { code: "V11104", min: 1, max: 3, unique: true },
          oneOf({ code: "V11104", among: ["card", "pay"] }),
        ),
      ),
      rate: optional(
        nullable(
          { code: "V11310" },
          object(
            { code: "V11310" },
            {
              day: optional(nullable({ code: "V11313" }, formatted({ code: "V11313", format: "date" }))),
              on: flag({ code: "V11308" }),
            },
          ),
        ),
      ),
    },
  ),
  "V11003",
);
const problems = (input: unknown) => check(input).problems.map(({ code, field }) => [code, field]);

describe("schemas whose fields carry their codes", () => {
  test("what is right has no problems and is given back as it is", () => {
    const input = { payment: { amount: 5 }, methods: ["card"], rate: { day: null, on: true } };
    const { problems: none, loose, sound } = check(input);
    assert.deepEqual(none, []);
    assert.equal(loose, input);
    assert.equal(sound("/payment"), true);
  });

  test("each problem has its own code and place; a missing field is told at the place where it is missing", () => {
    assert.deepEqual(problems({}), [["V11100", "/payment"]]);
    assert.deepEqual(problems({ payment: {} }), [["V11101", "/payment/amount"]]);
    assert.deepEqual(
      problems({ payment: { amount: 10, note: "long", extra: 1 }, methods: ["card", "cash"] }),
      [
        ["V11003", "/payment/extra"],
        ["V11101", "/payment/amount"],
        ["V11103", "/payment/note"],
        ["V11104", "/methods/1"],
      ],
    );
  });

  test("one place has one problem of one code, though it breaks two rules", () => {
    assert.deepEqual(problems({ payment: { amount: 5, note: "\u0000\u0000\u0000\u0000" } }), [
      ["V11103", "/payment/note"],
    ]);
    assert.deepEqual(problems({ payment: { amount: 0.5 } }), [["V11101", "/payment/amount"]]);
  });

  test("no value at all is told at the top", () => {
    for (const input of [undefined, null, 1, "x", [], true])
      assert.deepEqual(problems(input), [["V11005", ""]]);
  });

  test("a union speaks only when none of its parts says what is wrong inside", () => {
    const rate = (value: unknown) => problems({ payment: { amount: 1 }, rate: value });
    assert.deepEqual(rate(null), []);
    assert.deepEqual(rate(5), [["V11310", "/rate"]]);
    assert.deepEqual(rate({ on: "yes" }), [["V11308", "/rate/on"]]);
    assert.deepEqual(rate({}), [["V11308", "/rate/on"]]);
    assert.deepEqual(rate({ on: true, day: "2026-02-30" }), [["V11313", "/rate/day"]]);
    assert.deepEqual(rate({ on: true, off: true }), [["V11003", "/rate/off"]]);
  });

  test("what remains for the rules is without everything that was refused", () => {
    const { loose, sound } = check({
      payment: { amount: 0, note: "ok" },
      methods: ["cash", "card"],
      more: 1,
    });
    assert.deepEqual(loose, {
      payment: { amount: undefined, note: "ok" },
      methods: [undefined, "card"],
      more: undefined,
    });
    assert.equal(sound("/payment/note"), true);
    assert.equal(sound("/payment/amount"), false);
    assert.equal(sound("/payment"), false);
    assert.equal(sound("/methods"), false);
    assert.equal(sound("/method"), true);
  });

  test("a rule adds nothing about a place that was refused already", () => {
    const checked = check({ payment: { amount: 0 } });
    const found = withRules(checked, [
      { code: "V11230", field: "/payment/amount" },
      { code: "V11120", field: "/methods" },
    ]);
    assert.deepEqual(
      found.map((one) => one.code),
      ["V11101", "V11120"],
    );
  });

  test("names that mean something to JavaScript are names like any other", () => {
    const input = JSON.parse(
      '{"payment":{"amount":1},"__proto__":{"x":1},"constructor":1,"toString":2,"a/b~c":3}',
    );
    assert.deepEqual(problems(input), [
      ["V11003", "/__proto__"],
      ["V11003", "/constructor"],
      ["V11003", "/toString"],
      ["V11003", "/a~1b~0c"],
    ]);
    const { loose } = check(input);
    assert.equal(Object.getPrototypeOf(loose), Object.prototype);
  });
});
