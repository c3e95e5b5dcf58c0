import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { instant } from "../../kernel/time.ts";
import { MalformedAnswer, soundBankAnswer, soundStates } from "./sound-answer.ts";

const GARBAGE: readonly unknown[] = [
  ...[undefined, null, {}, [], "approved", { kind: 0 }, { kind: "settled" }, { kind: "approved" }],
  ...[{ kind: "approved", code: 2000 }, { kind: "declined", code: "approved" }, { kind: "accepted" }],
  { kind: "approved", code: "approved", facts: ["no names"] },
];

describe("an answer that its port does not declare has no known outcome", () => {
  test("of a debit bank or the PayID rail", async () => {
    for (const answer of GARBAGE)
      await assert.rejects(soundBankAnswer(Promise.resolve(answer as never)), MalformedAnswer);
    for (const answer of [
      { kind: "approved", code: "approved" },
      { kind: "declined", code: "downstream_error" },
      { kind: "unknown" },
    ] as const)
      assert.equal(await soundBankAnswer(Promise.resolve(answer)), answer);
  });

  test("of a debit bank about its debits", async () => {
    const at = instant(0);
    const garbage: readonly unknown[] = [
      ...GARBAGE,
      ...GARBAGE.map((one) => [one]),
      [{ kind: "processing", until: "soon" }],
      [{ kind: "settled", code: "approved" }],
      [{ kind: "settled", code: "returned", returnableUntil: at }],
      [{ kind: "returned", code: "approved" }],
      [{ kind: "never_seen" }, { kind: "never_seen" }],
    ];
    for (const states of garbage)
      await assert.rejects(soundStates(Promise.resolve(states as never), 1), MalformedAnswer);
    for (const state of [
      { kind: "never_seen" },
      { kind: "processing", until: at },
      { kind: "settled", code: "approved", returnableUntil: at },
      { kind: "declined", code: "target_account_invalid" },
      { kind: "returned", code: "returned" },
    ] as const)
      assert.deepEqual(await soundStates(Promise.resolve([state]), 1), [state]);
  });
});
