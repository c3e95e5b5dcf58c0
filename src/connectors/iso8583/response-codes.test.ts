import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { finalAnswer } from "./host-answer.ts";
import type { HostAnswer } from "./journal.ts";
import { outcomeOfResponse } from "./response-codes.ts";

const answerWith = (responseCode: string): HostAnswer => ({
  responseCode,
  authorisationCode: null,
  retrieval: null,
  approvedAmount: null,
  networkTransactionId: null,
  securityCodeResult: null,
});

describe("ISO 8583: the outcome of a response code", () => {
  for (const [responseCode, code] of [
    ["00", "approved"],
    ["10", "approved_for_partial_amount"],
    ["51", "insufficient_funds"],
    ["17", "do_not_honour"],
    ["94", "invalid_transaction"],
    ["ZZ", "do_not_honour"],
  ] as const)
    test(`response code ${responseCode}: ${code}`, () => {
      assert.equal(outcomeOfResponse(responseCode).code, code);
    });

  test("response code 94 to a repeat: the host has done what the earlier copy asked for", () => {
    const { kind, facts } = finalAnswer({ sends: 2, answer: answerWith("94") }, 3000);
    assert.deepEqual([kind, facts?.responseCode], ["approved", "94"]);
    assert.equal(finalAnswer({ sends: 1, answer: answerWith("94") }, 3000).kind, "declined");
    assert.equal(finalAnswer({ sends: 2, answer: answerWith("12") }, 3000).kind, "declined");
  });
});

describe("ISO 8583: the advice on retrying a decline", () => {
  for (const [responseCode, advice] of [
    ["43", "never"],
    ["54", "never"],
    ["51", "later"],
    ["91", "later"],
    ["1A", "with_authentication"],
    ["05", undefined],
    ["00", undefined],
  ] as const)
    test(`response code ${responseCode}: ${advice}`, () => {
      const answer = finalAnswer({ sends: 1, answer: answerWith(responseCode) }, 3000);
      assert.equal("advice" in answer ? answer.advice : undefined, advice);
    });
});
