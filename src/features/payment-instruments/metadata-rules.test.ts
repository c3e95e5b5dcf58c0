import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { newPairProblems, pairProblems } from "./metadata-rules.ts";

const pairs = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, "v"]));
const fieldsOf = (problems: readonly { readonly field?: string }[]) => problems.map(({ field }) => field);

describe("contract 2: the pairs of an instrument", () => {
  test("bankName of a bank account can be sent as it was read, beside 20 others", () => {
    for (const fits of [undefined, {}, pairs(20), { ...pairs(20), bankName: "ANZ" }])
      assert.deepEqual(pairProblems("ANZ", fits), []);
    assert.deepEqual(fieldsOf(pairProblems("ANZ", pairs(21))), ["/metadata"]);
    assert.deepEqual(fieldsOf(pairProblems("ANZ", { bankName: "Mine" })), ["/metadata/bankName"]);
    const both = { ...pairs(21), bankName: "Mine" };
    assert.deepEqual(fieldsOf(pairProblems("ANZ", both)), ["/metadata", "/metadata/bankName"]);
  });

  test("bankName of a card is a pair like any other", () => {
    assert.deepEqual(pairProblems(null, { ...pairs(19), bankName: "Mine" }), []);
    assert.deepEqual(fieldsOf(pairProblems(null, { ...pairs(20), bankName: "Mine" })), ["/metadata"]);
  });

  test("of a new account, bankName is its bank's; while the bank is hidden, any bank's", () => {
    const at = (account: object | undefined, bankName: string, wrong = "") =>
      fieldsOf(newPairProblems(account, { bankName }, (pointer) => pointer !== wrong));
    const refused = ["/metadata/bankName"];
    assert.deepEqual(at({ bsb: "062000" }, "Commonwealth Bank"), []);
    assert.deepEqual(at({ bsb: "062000" }, "Westpac"), refused);
    assert.deepEqual(at({ number: "12-3140-0171323-50" }, "ASB"), []);
    assert.deepEqual(at({ number: "12-3140-0171323-50" }, "Westpac"), refused);
    for (const [account, wrong] of [
      [{ number: "12-3140-0171323-50" }, "/bankAccount/bsb"],
      [{ number: "12345678" }, ""],
      [{}, ""],
      [undefined, ""],
    ] as const) {
      for (const name of ["Westpac", "Kiwibank", "Unknown bank"])
        assert.deepEqual(at(account, name, wrong), []);
      for (const name of ["Mine", "constructor", ""]) assert.deepEqual(at(account, name, wrong), refused);
    }
  });
});
