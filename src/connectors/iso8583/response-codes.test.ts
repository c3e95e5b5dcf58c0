import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { finalAnswer } from "./host-answer.ts";
import { outcomeOfResponse } from "./response-codes.ts";

describe("ISO 8583: the outcome of a response code", () => {
  for (const [responseCode, code] of [
    ["00", "approved"],
    ["10", "approved_for_partial_amount"],
    ["51", "insufficient_funds"],
    ["17", "do_not_honour"],
    ["ZZ", "do_not_honour"],
  ] as const)
    test(`response code ${responseCode}: ${code}`, () => {
      assert.equal(outcomeOfResponse(responseCode).code, code);
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
      const answer = finalAnswer(
        {
          responseCode,
          authorisationCode: null,
          retrieval: null,
          approvedAmount: null,
          networkTransactionId: null,
          securityCodeResult: null,
        },
        3000,
      );
      assert.equal("advice" in answer ? answer.advice : undefined, advice);
    });
});
