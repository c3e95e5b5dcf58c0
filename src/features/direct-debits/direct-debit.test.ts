import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Id } from "../../kernel/ids.ts";
import { cents } from "../../kernel/money.ts";
import { type CalendarDay, HOUR, instant, later, MINUTE, SECOND } from "../../kernel/time.ts";
import { BANK_DEADLINE } from "../transactions/index.ts";
import {
  bankReferenceOf,
  clearedOn,
  clearingWait,
  countryOf,
  type DebitToSend,
  fitting,
  mayStillArrive,
  underWayUntil,
} from "./direct-debit.ts";

const NOW = instant(Date.UTC(2026, 10, 16));
const day = (text: string) => text as CalendarDay;

describe("a batch of debits", () => {
  test("counts as under way for 20 seconds after its hand-over began: longer than the bank may take", () => {
    const until = later(NOW, 20 * SECOND);
    assert.ok(BANK_DEADLINE < 20 * SECOND);
    const batch = { status: "submitting", submittingSince: NOW } as const;
    assert.equal(underWayUntil(batch, NOW), until);
    assert.equal(underWayUntil(batch, later(until, -1)), until);
    assert.equal(underWayUntil(batch, until), undefined);
    assert.equal(underWayUntil({ ...batch, status: "unknown" }, NOW), undefined);
    assert.equal(underWayUntil({ ...batch, submittingSince: null }, NOW), undefined);
  });

  test("may still reach the bank for ten minutes after its hand-over began", () => {
    const end = later(NOW, 10 * MINUTE);
    assert.equal(mayStillArrive({ submittingSince: NOW }, later(end, -1)), true);
    assert.equal(mayStillArrive({ submittingSince: NOW }, end), false);
    assert.equal(mayStillArrive({ submittingSince: null }, NOW), false, "never handed over");
  });

  test("clears three banking days after the bank processes it, or after its own day", () => {
    // 16 November 2026 is a Monday.
    const batch = { day: day("2026-11-16"), processingDay: null, currency: "AUD" } as const;
    assert.equal(clearedOn(batch), "2026-11-19");
    assert.equal(clearedOn({ ...batch, processingDay: day("2026-11-20") }), "2026-11-25");
  });

  test("waits for returns to the end of the last clearing day: the full days, then every hour", () => {
    const batch = { day: day("2026-11-16"), processingDay: null, currency: "AUD" } as const;
    for (const [today, wait] of [
      ["2026-11-16", 71 * HOUR],
      ["2026-11-18", 23 * HOUR],
      ["2026-11-19", HOUR],
      ["2026-11-20", undefined],
    ] as const)
      assert.equal(clearingWait(batch, day(today)), wait, today);
  });

  test("belongs to the country of its currency", () => {
    assert.deepEqual([countryOf({ currency: "AUD" }), countryOf({ currency: "NZD" })], ["AU", "NZ"]);
  });

  test("takes the first debits up to its number and its total, each limit included", () => {
    const waiting = [100, 200, 300].map((amount) => ({ amount: cents(amount) }) as DebitToSend);
    const taken = (debits: number, total: number) =>
      fitting(waiting, { debits, total: cents(total) }).map(({ amount }) => Number(amount));
    assert.deepEqual(taken(3, 600), [100, 200, 300]);
    assert.deepEqual(taken(2, 600), [100, 200]);
    assert.deepEqual(taken(3, 599), [100, 200]);
    assert.deepEqual(taken(3, 300), [100, 200]);
    assert.deepEqual(taken(3, 299), [100]);
    assert.deepEqual(taken(0, 600), []);
    assert.deepEqual(taken(3, 99), []);
  });
});

test("a bank's reference is the last twelve characters in capitals, and never begins with a zero", () => {
  const reference = (id: string) => bankReferenceOf(id as Id<"transaction">);
  assert.equal(reference("txn_00000000000abcdefghjkmn"), "BCDEFGHJKMN".padStart(12, "A"));
  assert.equal(reference("txn_9990abcdefghjkm"), "UABCDEFGHJKM");
});
