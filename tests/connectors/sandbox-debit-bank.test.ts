import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { DEBIT_SCENARIOS } from "../../src/connectors/sandbox/debit-scenarios.ts";
import { createSandboxDebitBank } from "../../src/connectors/sandbox/sandbox-debit-bank.ts";
import { cents } from "../../src/kernel/money.ts";
import { instant, later, SECOND } from "../../src/kernel/time.ts";
import { testDirectDebitBank } from "./direct-debit-bank-contract.ts";
import { openTestLedger } from "./test-ledger.ts";

const SETTLES_AFTER = 5 * SECOND;

testDirectDebitBank("the sandbox", async () => {
  const { ledger, close } = await openTestLedger();
  return {
    bank: createSandboxDebitBank(ledger, SETTLES_AFTER).bank,
    amounts: { approved: 3000, declined: 11_001, returned: 11_005, creditDeclined: 11_400 },
    settlesAfter: SETTLES_AFTER,
    ledgerOf: async (reference) => {
      const settlement = await ledger.find("settlement", reference);
      const taken = settlement?.facts["code"]?.startsWith("A") === true ? settlement.amount : 0;
      const lines = await ledger.listBelongingTo(reference);
      const sum = (of: (line: (typeof lines)[number]) => boolean) =>
        lines.filter(of).reduce((total, { amount }) => total + amount, 0);
      return {
        taken: taken - sum(({ kind }) => kind === "return"),
        given: sum(({ kind, facts }) => kind === "credit" && facts["code"]?.startsWith("A") === true),
      };
    },
    storedText: async (reference) =>
      JSON.stringify([await ledger.find("debit", reference), await ledger.listBelongingTo(reference)]),
    close,
  };
});

describe("contract 9: the scenarios of the sandbox direct debit bank", () => {
  let opened: Awaited<ReturnType<typeof openTestLedger>>;
  before(async () => {
    opened = await openTestLedger();
  });
  after(() => opened.close());
  const requestedAt = instant(Date.UTC(2026, 2, 9));

  async function debited(reference: string, amount: number) {
    const { bank, advance } = createSandboxDebitBank(opened.ledger, SETTLES_AFTER);
    const account = { accountName: "Ann", bsb: "062000", number: "12345678" };
    await bank.submit({
      reference: "batch",
      debits: [{ reference, amount: cents(amount), currency: "AUD", requestedAt, account }],
    });
    const at = async (ms: number) => (await bank.read([reference], later(requestedAt, ms)))[0];
    return { advance, at };
  }

  test("each scenario amount settles or declines after the delay; 11005 is returned after a second delay", async () => {
    const expected = [
      [11_000, "declined"],
      [11_001, "target_account_invalid"],
      [11_002, "target_account_blocked"],
      [11_003, "target_account_name_mismatch"],
      [11_007, "target_account_closed"],
    ] as const;
    assert.equal(DEBIT_SCENARIOS.size, expected.length + 1);
    for (const [amount, code] of expected) {
      const { at } = await debited(`txn_${amount}`, amount);
      const until = later(requestedAt, SETTLES_AFTER);
      assert.deepEqual(await at(SETTLES_AFTER - 1), { kind: "processing", until });
      assert.deepEqual(await at(SETTLES_AFTER), { kind: "declined", code });
    }
    const { at } = await debited("txn_11005", 11_005);
    assert.equal((await at(2 * SETTLES_AFTER - 1))?.kind, "settled");
    assert.deepEqual(await at(2 * SETTLES_AFTER), { kind: "returned", code: "returned" });
    for (const amount of [10_999, 11_004, 11_006, 11_008]) {
      const { at } = await debited(`txn_${amount}`, amount);
      assert.equal((await at(20 * SETTLES_AFTER))?.kind, "settled");
    }
  });

  test("advance moves a debit ahead by one step at a time", async () => {
    const { advance, at } = await debited("txn_advanced", 11_005);
    const kinds: (string | undefined)[] = [(await at(0))?.kind];
    for (let step = 0; step < 3; step += 1) {
      await advance("txn_advanced", later(requestedAt, 1));
      kinds.push((await at(1))?.kind);
    }
    assert.deepEqual(kinds, ["processing", "settled", "returned", "returned"]);
  });
});
