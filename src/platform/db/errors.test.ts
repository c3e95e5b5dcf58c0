import assert from "node:assert/strict";
import { describe, test } from "node:test";
import pg from "pg";
import { brokenConstraint } from "./database.ts";
import { databaseProblem, isDatabaseAway } from "./errors.ts";

const state = (code: string) => Object.assign(new pg.DatabaseError("x", 1, "error"), { code });
const coded = (code: string, syscall?: string) => Object.assign(new Error("x"), { code, syscall });

describe("errors that mean the database is away or overloaded", () => {
  for (const code of [
    "08000",
    "08001",
    "08006",
    "28000",
    "28P01",
    "3D000",
    "53000",
    "53100",
    "53300",
    "55000",
    "55P03",
    "57014",
    "57P01",
    "57P02",
    "57P03",
    "57P05",
    "25P03",
    "25006",
    "40001",
    "40P01",
  ]) {
    test(`SQLSTATE ${code} does`, () => assert.equal(isDatabaseAway(state(code)), true));
  }
  for (const code of [
    "42P01",
    "42703",
    "42501",
    "23505",
    "23514",
    "22P02",
    "22001",
    "0A000",
    "XX000",
    "P0001",
    "55006",
    "08",
    "",
  ]) {
    test(`SQLSTATE ${code || "(empty)"} does not: that is a bug`, () =>
      assert.equal(isDatabaseAway(state(code)), false));
  }
  for (const code of [
    "ECONNREFUSED",
    "ECONNRESET",
    "EPIPE",
    "ETIMEDOUT",
    "ENOTFOUND",
    "EHOSTUNREACH",
    "EAI_AGAIN",
  ]) {
    test(`${code} does, also among others`, () => {
      assert.equal(isDatabaseAway(coded(code)), true);
      assert.equal(isDatabaseAway(new AggregateError([new Error("x"), coded(code)])), true);
    });
  }
  for (const code of ["ENOENT", "EACCES", "ENETUNREACH", "ENETDOWN", "EHOSTDOWN"]) {
    test(`${code} of a connection does, of a file it does not`, () => {
      assert.equal(isDatabaseAway(coded(code, "connect")), true);
      assert.equal(isDatabaseAway(coded(code, "open")), false);
    });
  }
  for (const words of [
    "Connection terminated unexpectedly",
    "Connection terminated due to connection timeout",
    "timeout exceeded when trying to connect",
    "Query read timeout",
    "Client has encountered a connection error and is not queryable",
  ]) {
    test(`"${words}" does`, () => assert.equal(isDatabaseAway(new Error(words)), true));
  }
  test("nothing else does", () => {
    for (const other of [
      new Error("x"),
      new TypeError("Connection"),
      coded("ENOENT", "open"),
      "ECONNRESET",
      null,
      undefined,
      { code: "ECONNRESET" },
      new AggregateError([]),
    ]) {
      assert.equal(isDatabaseAway(other), false);
    }
  });
});

describe("what an operator reads about the database", () => {
  for (const [code, says] of [
    ["42501", "the role of DATABASE_URL lacks rights (x)"],
    ["25006", "the database is read-only"],
    ["53100", "the disk of the database is full"],
    ["53300", "the database is out of resources (x)"],
    ["28P01", "the database does not let us in (x)"],
    ["3D000", "the database does not let us in (x)"],
    ["57014", "the database did not answer in time (x)"],
    ["55P03", "the database did not answer in time (x)"],
    ["40P01", "the database did not answer in time (x)"],
    ["57P01", "the database does not answer"],
    ["08006", "the database does not answer"],
    ["42P05", "a pooler lends the database's sessions out by the transaction (x)"],
    ["26000", "a pooler lends the database's sessions out by the transaction (x)"],
  ] as const) {
    test(`SQLSTATE ${code}: ${says}`, () => assert.equal(databaseProblem(state(code))?.says, says));
  }
  test("a connection without an answer is a time-out, one that is refused is away, and a bug is neither", () => {
    assert.match(databaseProblem(new Error("Query read timeout"))?.says ?? "", /did not answer in time/);
    assert.equal(databaseProblem(coded("ECONNREFUSED"))?.says, "the database does not answer");
    assert.equal(databaseProblem(state("42P01")), undefined);
    assert.equal(databaseProblem(new Error("x")), undefined);
  });
});

describe("the rule that a write broke", () => {
  const refusal = (message: string) => new pg.DatabaseError(message, 1, "error");
  test("is the constraint that the error names", () => {
    const named = Object.assign(refusal('breaks the rule "transactions_amount"'), { constraint: "named" });
    assert.equal(brokenConstraint(named), "named");
  });
  for (const [message, rule] of [
    [
      'duplicate key value violates unique constraint "transactions_one_pending_102008"',
      "transactions_one_pending",
    ],
    [
      'new row for relation "transactions_102008" violates check constraint "transactions_check3"',
      "transactions_check3",
    ],
    ['a transaction breaks the rule "transactions_fee_of_something"', "transactions_fee_of_something"],
  ] as const)
    test(`is in the message of a distributed database: ${message}`, () =>
      assert.equal(brokenConstraint(refusal(message)), rule));
  test("is not known of other errors", () => {
    assert.equal(brokenConstraint(refusal('relation "transactions" does not exist')), undefined);
    assert.equal(brokenConstraint(new Error('breaks the rule "transactions_amount"')), undefined);
  });
});
