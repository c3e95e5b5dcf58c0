import assert from "node:assert/strict";
import { describe, test } from "node:test";
import pg from "pg";
import { presentCode } from "../../kernel/codes/present-code.ts";
import { Refusal } from "../../kernel/refusal.ts";
import { errorAnswer } from "./error-answer.ts";

const coded = (code: string, message = "secret detail") => Object.assign(new Error(message), { code });
const ofDatabase = (code: string) =>
  Object.assign(new pg.DatabaseError("secret detail", 1, "error"), { code });

describe("contract 2: three kinds of failure", () => {
  test("a refusal says what to fix", () => {
    const refusal = new Refusal([
      { code: "payment_request_amount_invalid", field: "/payment/amount" },
      { code: "body_field_unknown", field: "/x" },
    ]);
    assert.deepEqual(errorAnswer(refusal, "sandbox", "http://base"), {
      status: 400,
      headers: {},
      body: {
        result: {
          mode: "sandbox",
          status: "validation_error",
          codes: [
            {
              id: "V11101",
              message: "payment_request_amount_invalid",
              detail:
                "Send `amount` as a whole number of cents from 1 to 99999999999, or 0 with `card` and `customerRequest.paymentInstrument` `create` to store a card without charging it.",
              docs: "http://base/docs/codes#V11101",
              field: "/payment/amount",
            },
            { ...presentCode("body_field_unknown", "http://base"), field: "/x" },
          ],
        },
      },
      isBug: false,
    });
  });

  test("totals that do not add up are the one place where values stand", () => {
    const refusal = new Refusal([
      {
        code: "hosted_payment_page_totals_mismatch",
        field: "/payment/amount",
        totals: { expected: 5, given: 6 },
      },
    ]);
    const { body } = errorAnswer(refusal, undefined, "");
    assert.match(JSON.stringify(body), /"expected":5,"given":6/);
  });

  test("what the first request created is named by its complete URL", () => {
    const original = {
      requestId: "r",
      status: "done",
      id: "pr_x",
      location: "/paymentrequests/pr_x",
    } as const;
    const { status, body } = errorAnswer(
      new Refusal([{ code: "header_idempotency_key_is_used" }], { original }),
      "live",
      "https://base",
    );
    assert.equal(status, 409);
    assert.deepEqual((body as { original: object }).original, {
      ...original,
      location: "https://base/paymentrequests/pr_x",
    });
    const nothing = errorAnswer(
      new Refusal([{ code: "header_idempotency_key_is_used" }], {
        original: { ...original, id: null, location: null },
      }),
      "live",
      "b",
    );
    assert.match(JSON.stringify(nothing.body), /"id":null,"location":null/);
  });

  for (const error of [
    ofDatabase("57P01"),
    ofDatabase("53300"),
    ofDatabase("08006"),
    ofDatabase("55P03"),
    ofDatabase("40P01"),
    ofDatabase("55000"),
    ofDatabase("28P01"),
    ofDatabase("3D000"),
    coded("ECONNREFUSED"),
    coded("EPIPE"),
    new AggregateError([coded("ECONNREFUSED")]),
    new Error("Connection terminated unexpectedly"),
    new Error("timeout exceeded when trying to connect"),
  ]) {
    test(`the database is away: ${"code" in error ? String(error.code) : error.message}`, () => {
      const { status, headers, body, isBug } = errorAnswer(error, "sandbox", "");
      assert.equal(status, 503);
      assert.equal(isBug, false);
      assert.match(headers["Retry-After"] ?? "", /^\d+$/);
      assert.doesNotMatch(JSON.stringify(body), /secret/);
    });
  }

  for (const error of [
    ofDatabase("42P01"),
    ofDatabase("23505"),
    ofDatabase("22P02"),
    coded("ENOENT"),
    new TypeError("secret"),
    "secret",
    { statusCode: 418, message: "secret" },
    null,
    undefined,
    coded("FST_ERR_SOMETHING_NEW"),
  ]) {
    test(`a bug: ${error instanceof Error ? `${error.name} ${"code" in error ? String(error.code) : ""}` : JSON.stringify(error)}`, () => {
      const { status, body, isBug } = errorAnswer(error, undefined, "");
      assert.equal(status, 500);
      assert.equal(isBug, true);
      assert.deepEqual(body, {
        result: { status: "system_error", codes: [presentCode("system_error", "")] },
      });
    });
  }

  test("a client that goes away is no lost database", () => {
    assert.equal(errorAnswer(coded("ECONNRESET", "aborted"), undefined, "").status, 400);
    assert.equal(errorAnswer(coded("ECONNRESET", "read ECONNRESET"), undefined, "").status, 503);
  });
});
