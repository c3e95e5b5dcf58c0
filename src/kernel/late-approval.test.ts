import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  approveLate,
  lateApprovalStatus,
  lateApprovalValue,
  readLateApproval,
  reverseLate,
} from "./late-approval.ts";
import { cents } from "./money.ts";
import { instant } from "./time.ts";

const DECLINED = { status: "declined", lateApproval: null, updatedAt: instant(1_000) };

describe("an approval that arrives after the decline", () => {
  test("is recorded once, and only on what was declined", () => {
    const late = approveLate(DECLINED, cents(500), instant(2_000));
    assert.deepEqual(late, {
      status: "declined",
      lateApproval: { amount: 500, approvedAt: 2_000 },
      updatedAt: 2_000,
    });
    assert.equal(late && approveLate(late, cents(500), instant(3_000)), undefined);
    for (const status of ["pending", "approved"])
      assert.equal(approveLate({ ...DECLINED, status }, cents(500), instant(2_000)), undefined);
  });

  test("is reversed once, and the time of the record grows also when the clock stands", () => {
    assert.equal(reverseLate(DECLINED, instant(2_000)), undefined);
    const late = approveLate(DECLINED, cents(500), instant(1_000));
    assert.ok(late && late.updatedAt > DECLINED.updatedAt && late.lateApproval);
    assert.equal(lateApprovalStatus(late.lateApproval), "reversing");
    const reversed = reverseLate(late, instant(1_000));
    assert.ok(reversed?.lateApproval && reversed.updatedAt > late.updatedAt);
    assert.equal(lateApprovalStatus(reversed.lateApproval), "reversed");
    assert.equal(reverseLate(reversed, instant(3_000)), undefined);
  });

  test("is stored as it is, and so is none", () => {
    for (const one of [null, { amount: cents(500), approvedAt: instant(2_000) }])
      assert.deepEqual(readLateApproval(lateApprovalValue(one)), one);
    assert.equal(lateApprovalValue(null), null);
  });
});
