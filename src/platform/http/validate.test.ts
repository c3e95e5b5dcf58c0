import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { flag, formatted, integer, list, nullable, object, oneOf, optional, text } from "./schema.ts";
import { compileValidator, withRules } from "./validate.ts";

const inner = object(
  { code: "payment_request_payment_invalid" },
  {
    amount: integer({ code: "payment_request_amount_invalid", min: 1, max: 9 }),
    note: optional(text({ code: "payment_request_description_invalid", max: 3 })),
  },
);
const check = compileValidator(
  object(
    { code: "body_object_invalid" },
    {
      payment: inner,
      methods: optional(
        list(
          { code: "payment_request_payment_methods_invalid", min: 1, max: 3, unique: true },
          oneOf({ code: "payment_request_payment_methods_invalid", among: ["card", "pay"] }),
        ),
      ),
      rate: optional(
        nullable(
          { code: "account_surcharging_rate_invalid" },
          object(
            { code: "account_surcharging_rate_invalid" },
            {
              day: optional(
                nullable(
                  { code: "account_surcharging_from_invalid" },
                  formatted({ code: "account_surcharging_from_invalid", format: "date" }),
                ),
              ),
              on: flag({ code: "account_surcharging_enabled_invalid" }),
            },
          ),
        ),
      ),
    },
  ),
  "body_field_unknown",
);
const problems = (input: unknown) => check(input).problems.map(({ code, field }) => [code, field]);

describe("schemas whose fields carry their codes", () => {
  test("valid input has no problems and is returned as it is", () => {
    const input = { payment: { amount: 5 }, methods: ["card"], rate: { day: null, on: true } };
    const { problems: none, loose, sound } = check(input);
    assert.deepEqual(none, []);
    assert.equal(loose, input);
    assert.equal(sound("/payment"), true);
  });

  test("each problem has its own code and place; a missing field is reported where it is missing", () => {
    assert.deepEqual(problems({}), [["payment_request_payment_invalid", "/payment"]]);
    assert.deepEqual(problems({ payment: {} }), [["payment_request_amount_invalid", "/payment/amount"]]);
    assert.deepEqual(
      problems({ payment: { amount: 10, note: "long", extra: 1 }, methods: ["card", "cash"] }),
      [
        ["body_field_unknown", "/payment/extra"],
        ["payment_request_amount_invalid", "/payment/amount"],
        ["payment_request_description_invalid", "/payment/note"],
        ["payment_request_payment_methods_invalid", "/methods/1"],
      ],
    );
  });

  test("one place has one problem of one code, though it breaks two rules", () => {
    assert.deepEqual(problems({ payment: { amount: 5, note: "\u0000\u0000\u0000\u0000" } }), [
      ["payment_request_description_invalid", "/payment/note"],
    ]);
    assert.deepEqual(problems({ payment: { amount: 0.5 } }), [
      ["payment_request_amount_invalid", "/payment/amount"],
    ]);
  });

  test("no value at all is reported at the top", () => {
    for (const input of [undefined, null, 1, "x", [], true])
      assert.deepEqual(problems(input), [["body_object_invalid", ""]]);
  });

  test("a union is reported only when none of its parts reports a problem inside", () => {
    const rate = (value: unknown) => problems({ payment: { amount: 1 }, rate: value });
    assert.deepEqual(rate(null), []);
    assert.deepEqual(rate(5), [["account_surcharging_rate_invalid", "/rate"]]);
    assert.deepEqual(rate({ on: "yes" }), [["account_surcharging_enabled_invalid", "/rate/on"]]);
    assert.deepEqual(rate({}), [["account_surcharging_enabled_invalid", "/rate/on"]]);
    assert.deepEqual(rate({ on: true, day: "2026-02-30" }), [
      ["account_surcharging_from_invalid", "/rate/day"],
    ]);
    assert.deepEqual(rate({ on: true, off: true }), [["body_field_unknown", "/rate/off"]]);
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

  test("a list with a repeat keeps its members, a list that is too long does not", () => {
    const methods = (...given: readonly string[]) => {
      const { loose, sound, problems: found } = check({ payment: { amount: 1 }, methods: given });
      assert.equal(sound("/methods"), false);
      assert.equal(found[0]?.field, "/methods");
      return (loose as { methods: unknown }).methods;
    };
    assert.deepEqual(methods("pay", "pay"), ["pay", "pay"]);
    assert.equal(methods("pay", "pay", "pay", "card"), undefined);
  });

  test("a rule adds nothing about a place that was refused already", () => {
    const checked = check({ payment: { amount: 0 } });
    const found = withRules(checked, [
      { code: "hosted_payment_page_totals_mismatch", field: "/payment/amount" },
      { code: "payment_request_agreement_details_invalid", field: "/methods" },
    ]);
    assert.deepEqual(
      found.map((one) => one.code),
      ["payment_request_amount_invalid", "payment_request_agreement_details_invalid"],
    );
  });

  test("names that mean something to JavaScript are names like any other", () => {
    const input = JSON.parse(
      '{"payment":{"amount":1},"__proto__":{"x":1},"constructor":1,"toString":2,"a/b~c":3}',
    );
    assert.deepEqual(problems(input), [
      ["body_field_unknown", "/__proto__"],
      ["body_field_unknown", "/constructor"],
      ["body_field_unknown", "/toString"],
      ["body_field_unknown", "/a~1b~0c"],
    ]);
    const { loose } = check(input);
    assert.equal(Object.getPrototypeOf(loose), Object.prototype);
  });
});
