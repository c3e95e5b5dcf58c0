import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { accountChangeProblems } from "./account-rules.ts";
import type { Merchant } from "./merchant.ts";

const visa = { percent: 1, fixed: 0, from: "2026-03-02" };
/** Its days are the wrong way round, but no change names it. */
const jcb = { ...visa, until: "2026-03-01" };
const merchant = {
  capabilities: {},
  surcharging: { enabled: true, rates: { visa, jcb } },
  cardTesting: {},
} as unknown as Merchant;
const PERCENT = "account_surcharging_percent_invalid /surcharging/rates/visa/percent";
const UNTIL = "account_surcharging_until_invalid /surcharging/rates/visa/until";

describe("a change of surcharge rates", () => {
  for (const [what, visa, problems] of [
    ["four decimals of a percent", { percent: 1.2345 }, []],
    ["five decimals of a percent", { percent: 1.23456 }, [PERCENT]],
    ["a percent written with an exponent", { percent: 1e-7 }, [PERCENT]],
    ["a last day that is the first one", { percent: 1, from: "2026-03-02", until: "2026-03-02" }, []],
    ["a last day before the first one", { percent: 1, from: "2026-03-02", until: "2026-03-01" }, [UNTIL]],
    ["a last day before the first one on record", { until: "2026-03-01" }, [UNTIL]],
    ["a first day alone", { percent: 1, from: "2026-03-02" }, []],
    ["no rate any more", null, []],
  ] as const)
    test(`${what} is ${problems.length === 0 ? "accepted" : "refused"}`, () => {
      const change = { surcharging: { rates: { visa: visa && { fixed: 0, ...visa } } } };
      const found = accountChangeProblems(change, merchant).map(({ code, field }) => `${code} ${field}`);
      assert.deepEqual(found, problems);
    });

  test("a last day needs no first one", () => {
    const change = { surcharging: { rates: { amex: { percent: 1, fixed: 0, until: "2026-03-01" } } } };
    assert.deepEqual(accountChangeProblems(change, merchant), []);
  });

  test("refuses a field that an account does not have, and what is no object", () => {
    const codes = (change: unknown) => accountChangeProblems(change, merchant).map(({ code }) => code);
    assert.deepEqual(codes({ colour: "red" }), ["body_field_unknown"]);
    assert.equal(codes(7).length, 1);
    assert.deepEqual(codes({}), []);
  });
});
