import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { instant, MINUTE } from "../../kernel/time.ts";
import { CARD_TESTING_DEFAULTS as LIMITS } from "../merchants/merchant.ts";
import {
  APPROVALS_FADE_IN,
  crossed,
  FADES_IN,
  isBankDecline,
  leftOf,
  stepOf,
  UNCOUNTED_SHARE,
  UNCOUNTED_SHARE_BELOW_CEILING,
  waitFor,
  weightOf,
} from "./card-testing.ts";
import { createSeenCodes } from "./seen-codes.ts";

describe("card testing: the step of an attempt", () => {
  const SECURE = { threeDSecure: true };
  const address = (risk: number, approved = 0) =>
    stepOf([{ kind: "address", risk, approved }], LIMITS, SECURE);

  test("rises with the highest counter", () => {
    assert.equal(address(30), "none");
    assert.equal(address(30.1), "slow_down");
    assert.equal(address(36), "slow_down");
    assert.equal(address(36.1), "three_d_secure");
  });

  test("stays at slowing down where no account authenticates payers", () => {
    assert.equal(
      stepOf([{ kind: "address", risk: 44, approved: 0 }], LIMITS, { threeDSecure: false }),
      "slow_down",
    );
  });

  test("is none while most attempts are approved, except for codes on one card", () => {
    assert.equal(address(44, 67), "none");
    assert.equal(address(44, 66), "three_d_secure");
    assert.equal(stepOf([{ kind: "card", risk: 14, approved: 1_000 }], LIMITS, SECURE), "three_d_secure");
  });

  test("is none for three declines in a row, with the lowest limits too", () => {
    const lowest = { address: 6, bin: 6, card: 6, merchant: 6 };
    const counters = (["address", "bin", "card", "merchant"] as const).map((kind) => ({
      kind,
      risk: 4,
      approved: 0,
    }));
    assert.equal(stepOf(counters, lowest, SECURE), "none");
  });

  test("a security code counts fully once, and again when it is forgotten", () => {
    const codes = createSeenCodes();
    const at = (milliseconds: number) => instant(milliseconds);
    assert.equal(codes.isNew("card", "123", at(0)), true);
    assert.equal(codes.isNew("card", "123", at(1)), true, "asking does not make it known");
    codes.remember("card", "123", at(1));
    assert.equal(codes.isNew("card", "123", at(2)), false);
    assert.equal(codes.isNew("card", "124", at(2)), true);
    assert.equal(codes.isNew("other", "123", at(3)), true);
    codes.remember("card", "124", at(4));
    assert.equal(codes.isNew("card", "123", at(FADES_IN + 1)), true);
    assert.equal(codes.isNew("card", "124", at(FADES_IN + 1)), false);
    assert.equal(weightOf("card", false), 0.1);
    assert.equal(weightOf("address", false), 1);
  });

  test("the wait lasts until the counter has faded below its limit", () => {
    const wait = waitFor({ kind: "address", risk: 45, approved: 0 }, LIMITS);
    assert.ok(45 * Math.exp(-wait / FADES_IN) <= 44.5);
    assert.ok(wait < 10_000);
    assert.equal(waitFor({ kind: "address", risk: 44.5, approved: 0 }, LIMITS), 1_000, "a second at least");
  });

  test("a count fades in ten minutes, and not by a clock that steps back", () => {
    assert.equal(leftOf(10 * MINUTE), 1 / Math.E);
    assert.deepEqual([leftOf(0), leftOf(-1)], [1, 1]);
    assert.equal(APPROVALS_FADE_IN, 30 * MINUTE);
  });

  test("with the lowest limits, one attempt at a time goes uncounted, and four among approvals", () => {
    assert.deepEqual([6 * UNCOUNTED_SHARE, 6 * UNCOUNTED_SHARE_BELOW_CEILING], [1, 4]);
  });

  test("only a decline by the card's bank stays counted", () => {
    for (const [status, code, isCounted] of [
      ["declined", "do_not_honour", true],
      ["declined", null, true],
      ["declined", "card_issuer_unavailable", false],
      ["approved", "approved", false],
      ["pending", null, false],
    ] as const)
      assert.equal(isBankDecline({ status, code }), isCounted, `${status} ${code}`);
  });

  test("the attempt that reaches a step is on record, and the next one is not", () => {
    for (const [risk, secure, insecure] of [
      [29.5, undefined, undefined],
      [29.6, "slow_down", "slow_down"],
      [30.5, "slow_down", "slow_down"],
      [30.6, undefined, undefined],
      [35.5, undefined, undefined],
      [35.6, "three_d_secure", undefined],
      [44.5, undefined, undefined],
      [44.6, "refuse", "refuse"],
      [45.5, "refuse", "refuse"],
      [45.6, undefined, undefined],
    ] as const) {
      const counters = [{ kind: "address", risk, approved: 0 }] as const;
      const counts = (["card", "address"] as const).map((kind) => ({ kind, weight: 1, limit: LIMITS[kind] }));
      const steps = [true, false].map((threeDSecure) => crossed(counters, counts, { threeDSecure })[0]?.step);
      assert.deepEqual(steps, [secure, insecure], String(risk));
    }
  });

  test("while most attempts are approved, the wait and the entry on record are about the ceiling", () => {
    const wait = waitFor({ kind: "bin", risk: 54, approved: 400 }, LIMITS);
    assert.ok(54 * Math.exp(-wait / FADES_IN) <= 53.5);
    assert.ok(wait < 10_000);
    const steps = (kind: "bin" | "merchant", risk: number, approved = 400) =>
      crossed([{ kind, risk, approved }], [{ kind, weight: 1, limit: LIMITS[kind] }], SECURE).map(
        ({ step }) => step,
      );
    assert.deepEqual(steps("bin", 45), []);
    assert.deepEqual(steps("bin", 54), ["refuse"]);
    assert.deepEqual(steps("bin", 54, 432), ["refuse"]);
    assert.deepEqual(steps("bin", 54, 433), [], "a busy merchant");
    assert.deepEqual(steps("merchant", 96), []);
  });
});
