import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { cents } from "../../kernel/money.ts";
import { differenceOf } from "./difference.ts";

const amounts = (approved: number, captured: number) => ({
  approved: cents(approved),
  captured: cents(captured),
});
const gateway = (approved: number, captured: number, isSettled = true) => ({
  reference: "r",
  isSettled,
  ...amounts(approved, captured),
});
const journal = (approved: number, captured: number, isOpen = false) => ({
  isOpen,
  ...amounts(approved, captured),
});

describe("reconciliation: what differs between the gateway and an acquirer's journal", () => {
  test("nothing where both have the same amounts", () => {
    assert.equal(differenceOf("r", gateway(10, 5), journal(10, 5)), undefined);
  });

  test("nothing where one has no record and the other has no money", () => {
    assert.equal(differenceOf("r", gateway(0, 0), undefined), undefined);
    assert.equal(differenceOf("r", undefined, journal(0, 0)), undefined);
  });

  test("approved and captured amounts, with both sides", () => {
    assert.deepEqual(differenceOf("r", gateway(10, 5), journal(9, 5)), {
      reference: "r",
      about: "the approved amounts differ",
      gateway: amounts(10, 5),
      journal: amounts(9, 5),
    });
    assert.deepEqual(differenceOf("r", gateway(10, 5), journal(10, 0)), {
      reference: "r",
      about: "the captured amounts differ",
      gateway: amounts(10, 5),
      journal: amounts(10, 0),
    });
  });

  test("one cent of a record that the other side lacks", () => {
    const about = (
      ...records: Parameters<typeof differenceOf> extends [string, ...infer Rest] ? Rest : never
    ) => {
      const { gateway: own, journal: other, about: problem } = differenceOf("r", ...records) ?? {};
      return [problem, own, other];
    };
    const approved = "the approved amounts differ";
    assert.deepEqual(about(gateway(1, 0), undefined), [approved, amounts(1, 0), null]);
    assert.deepEqual(about(undefined, journal(1, 0)), [approved, null, amounts(1, 0)]);
    const captured = "the captured amounts differ";
    assert.deepEqual(about(gateway(0, 1), undefined), [captured, amounts(0, 1), null]);
    assert.deepEqual(about(undefined, journal(0, 1)), [captured, null, amounts(0, 1)]);
  });

  test("a message that the host has not answered, whatever the amounts", () => {
    assert.equal(
      differenceOf("r", gateway(10, 10), journal(10, 10, true))?.about,
      "the host has not answered a message",
    );
  });

  test("nothing yet while the gateway is still settling the payment", () => {
    assert.equal(differenceOf("r", gateway(10, 0, false), journal(0, 0, true)), undefined);
  });
});
