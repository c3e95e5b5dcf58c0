import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type {
  DebitRequest,
  DebitState,
  DirectDebitBank,
} from "../../src/connectors/ports/direct-debit-bank.ts";
import { APPROVALS, DECLINES } from "../../src/kernel/codes/outcomes.ts";
import { cents } from "../../src/kernel/money.ts";
import { instant, later } from "../../src/kernel/time.ts";

/** A bank with the values of its test environment that the tests need. */
export type DebitBankUnderTest = {
  readonly bank: DirectDebitBank;
  readonly amounts: Readonly<Record<"approved" | "declined" | "returned" | "creditDeclined", number>>;
  /** Delay until a debit settles; a return takes the same delay again. */
  readonly settlesAfter: number;
  /** The bank's own ledger: collected by a debit and not returned, and credited back to the payer. */
  readonly ledgerOf: (reference: string) => Promise<{ taken: number; given: number }>;
  /** Everything the bank stores about a debit. */
  readonly storedText: (reference: string) => Promise<string>;
  readonly close: () => Promise<void>;
};

const REQUESTED_AT = instant(Date.UTC(2026, 2, 9));
const NUMBER = "98765432";

/** The contract of every direct debit bank. */
export function testDirectDebitBank(name: string, open: () => Promise<DebitBankUnderTest>): void {
  describe(`direct debit bank contract: ${name}`, () => {
    let subject: DebitBankUnderTest;
    let bank: DirectDebitBank;
    let count = 0;
    before(async () => {
      subject = await open();
      bank = subject.bank;
    });
    after(() => subject.close());

    const newReference = (prefix: string) => {
      count += 1;
      return `${prefix}_${Date.now()}_${count}`;
    };

    const newDebit = (outcome: keyof DebitBankUnderTest["amounts"]): DebitRequest => ({
      reference: newReference("txn"),
      amount: cents(subject.amounts[outcome]),
      currency: "AUD",
      requestedAt: REQUESTED_AT,
      account: { accountName: "Jamie Lee", bsb: "062000", number: NUMBER },
    });

    const submit = (...debits: readonly DebitRequest[]) =>
      bank.submit({ reference: newReference("bat"), debits });

    const read = async ({ reference }: DebitRequest, delays: number): Promise<DebitState> => {
      const [state] = await bank.read([reference], later(REQUESTED_AT, delays * subject.settlesAfter));
      return state ?? assert.fail("a state for each debit");
    };

    async function settledDebit(): Promise<DebitRequest> {
      const debit = newDebit("approved");
      await submit(debit);
      assert.equal((await read(debit, 1)).kind, "settled");
      return debit;
    }

    const credit = (debit: DebitRequest, amount: number, reference = newReference("rfd")) =>
      bank.credit({ reference, debit: debit.reference, amount: cents(amount), account: debit.account });

    test("a debit that was not submitted is never_seen", async () => {
      assert.deepEqual(await read(newDebit("approved"), 9), { kind: "never_seen" });
    });

    test("before settlement nothing is taken, and the bank returns when to inquire again", async () => {
      const debit = newDebit("approved");
      await submit(debit);
      const state = await read(debit, 0);
      assert.ok(state.kind === "processing" && state.until > REQUESTED_AT);
      assert.equal((await subject.ledgerOf(debit.reference)).taken, 0);
    });

    test("each debit in a batch has its own outcome with a catalogue code", async () => {
      const [good, bad] = [newDebit("approved"), newDebit("declined")];
      await submit(good, bad);
      const [approved, declined] = await bank.read(
        [good.reference, bad.reference],
        later(REQUESTED_AT, subject.settlesAfter),
      );
      assert.ok(approved?.kind === "settled" && approved.code in APPROVALS);
      assert.ok(declined?.kind === "declined" && declined.code in DECLINES);
      assert.equal((await subject.ledgerOf(good.reference)).taken, good.amount);
      assert.equal((await subject.ledgerOf(bad.reference)).taken, 0);
    });

    for (const outcome of ["approved", "declined", "returned"] as const) {
      test(`a debit that is ${outcome} and submitted and read 20 times has that outcome once`, async () => {
        const debit = newDebit(outcome);
        await Promise.all(Array.from({ length: 20 }, () => submit(debit)));
        await submit(debit, newDebit("approved"));
        await read(debit, 1);
        const states = await Promise.all(Array.from({ length: 20 }, () => read(debit, 3)));
        for (const state of states) assert.deepEqual(state, states[0]);
        const taken = outcome === "approved" ? debit.amount : 0;
        assert.deepEqual(await subject.ledgerOf(debit.reference), { taken, given: 0 });
      });
    }

    test("a return follows settlement, and only within the returnable period", async () => {
      const [stays, returns] = [await settledDebit(), newDebit("returned")];
      await submit(returns);
      assert.equal((await read(returns, 1)).kind, "settled");
      assert.deepEqual(await read(returns, 2), { kind: "returned", code: "returned" });
      const state = await read(stays, 1);
      assert.ok(
        state.kind === "settled" && state.returnableUntil <= later(REQUESTED_AT, 2 * subject.settlesAfter),
      );
    });

    test("a repeated credit moves money once and returns the same result", async () => {
      const debit = await settledDebit();
      const reference = newReference("rfd");
      const answers = await Promise.all(Array.from({ length: 20 }, () => credit(debit, 7, reference)));
      answers.push(await credit(debit, 7, reference));
      for (const answer of answers) assert.deepEqual(answer, answers[0]);
      assert.equal(answers[0]?.kind, "approved");
      assert.equal((await subject.ledgerOf(debit.reference)).given, 7);
    });

    test("credits total at most what was taken, and one credit can be declined alone", async () => {
      const debit = await settledDebit();
      assert.equal((await credit(debit, debit.amount - 1)).kind, "approved");
      assert.equal((await credit(debit, 2)).kind, "declined");
      assert.equal((await credit(debit, 1)).kind, "approved");
      const largeDebit = { ...newDebit("approved"), amount: cents(subject.amounts.creditDeclined + 1) };
      await submit(largeDebit);
      assert.equal((await read(largeDebit, 1)).kind, "settled");
      const declined = await credit(largeDebit, subject.amounts.creditDeclined);
      assert.ok(declined.kind === "declined" && declined.code in DECLINES);
      assert.equal((await subject.ledgerOf(largeDebit.reference)).given, 0);
    });

    test("a debit that is declined, returned or not yet settled cannot be credited", async () => {
      const [bad, returned, waiting] = [newDebit("declined"), newDebit("returned"), newDebit("approved")];
      await submit(bad, returned, waiting);
      await read(bad, 1);
      await read(returned, 2);
      for (const debit of [bad, returned, waiting, newDebit("approved")]) {
        assert.equal((await credit(debit, 1)).kind, "declined");
      }
    });

    test("a credit to an erased account number is either approved or declined", async () => {
      const debit = await settledDebit();
      const answer = await bank.credit({
        reference: newReference("rfd"),
        debit: debit.reference,
        amount: cents(1),
      });
      assert.ok(answer.kind === "approved" || answer.kind === "declined");
    });

    test("the account number is stored nowhere in the bank's records", async () => {
      const debit = await settledDebit();
      await credit(debit, 1);
      const storedText = await subject.storedText(debit.reference);
      assert.ok(storedText.includes(debit.reference));
      assert.ok(!storedText.includes(NUMBER) && !storedText.includes(NUMBER.slice(-4)));
    });
  });
}
