import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type {
  DebitRequest,
  DebitState,
  DirectDebitBank,
} from "../../src/connectors/ports/direct-debit-bank.ts";
import { APPROVALS, DECLINES } from "../../src/kernel/codes/outcomes.ts";
import { instant, later } from "../../src/kernel/time.ts";

/** A bank with what the tests must know of its test environment. */
export type DebitBankUnderTest = {
  readonly bank: DirectDebitBank;
  readonly amounts: Readonly<Record<"approved" | "declined" | "returned" | "creditDeclined", number>>;
  /** How long a debit takes, and how much longer a return. */
  readonly settlesAfter: number;
  /** What its own books say: what a debit has taken and still has, and what was given back by credits. */
  readonly booked: (reference: string) => Promise<{ taken: number; given: number }>;
  /** All that it wrote down about a debit. */
  readonly written: (reference: string) => Promise<string>;
  readonly close: () => Promise<void>;
};

const ASKED_AT = instant(Date.UTC(2026, 2, 9));
const NUMBER = "98765432";

/** What every bank that collects for us must do, whoever it is. */
export function testDirectDebitBank(name: string, open: () => Promise<DebitBankUnderTest>): void {
  describe(`the port "direct debit bank", as ${name} keeps it`, () => {
    let under: DebitBankUnderTest;
    let bank: DirectDebitBank;
    let count = 0;
    before(async () => {
      under = await open();
      bank = under.bank;
    });
    after(() => under.close());

    const newReference = (what: string) => {
      count += 1;
      return `${what}_${Date.now()}_${count}`;
    };

    const ask = (outcome: keyof DebitBankUnderTest["amounts"]): DebitRequest => ({
      reference: newReference("txn"),
      amount: under.amounts[outcome],
      currency: "AUD",
      askedAt: ASKED_AT,
      account: { accountName: "Jamie Lee", bsb: "062000", number: NUMBER },
    });

    const submit = (...debits: readonly DebitRequest[]) =>
      bank.submit({ reference: newReference("bat"), debits });

    const read = async ({ reference }: DebitRequest, delays: number): Promise<DebitState> => {
      const [state] = await bank.read([reference], later(ASKED_AT, delays * under.settlesAfter));
      return state ?? assert.fail("an answer for each");
    };

    async function settled(): Promise<DebitRequest> {
      const debit = ask("approved");
      await submit(debit);
      assert.equal((await read(debit, 1)).kind, "settled");
      return debit;
    }

    const credit = (debit: DebitRequest, amount: number, reference = newReference("rfd")) =>
      bank.credit({ reference, debit: debit.reference, amount, account: debit.account });

    test("what was not submitted was never seen", async () => {
      assert.deepEqual(await read(ask("approved"), 9), { kind: "never_seen" });
    });

    test("until it is settled nothing is taken, and the bank says when to ask again", async () => {
      const debit = ask("approved");
      await submit(debit);
      const state = await read(debit, 0);
      assert.ok(state.kind === "processing" && state.until > ASKED_AT);
      assert.equal((await under.booked(debit.reference)).taken, 0);
    });

    test("each debit of a batch has its own outcome, with a code of the catalogue", async () => {
      const [good, bad] = [ask("approved"), ask("declined")];
      await submit(good, bad);
      const [approved, declined] = await bank.read(
        [good.reference, bad.reference],
        later(ASKED_AT, under.settlesAfter),
      );
      assert.ok(approved?.kind === "settled" && approved.code in APPROVALS);
      assert.ok(declined?.kind === "declined" && declined.code in DECLINES);
      assert.equal((await under.booked(good.reference)).taken, good.amount);
      assert.equal((await under.booked(bad.reference)).taken, 0);
    });

    for (const outcome of ["approved", "declined", "returned"] as const) {
      test(`submitted and read 20 times, a debit that is ${outcome} is so once`, async () => {
        const debit = ask(outcome);
        await Promise.all(Array.from({ length: 20 }, () => submit(debit)));
        await submit(debit, ask("approved"));
        await read(debit, 1);
        const states = await Promise.all(Array.from({ length: 20 }, () => read(debit, 3)));
        for (const state of states) assert.deepEqual(state, states[0]);
        const taken = outcome === "approved" ? debit.amount : 0;
        assert.deepEqual(await under.booked(debit.reference), { taken, given: 0 });
      });
    }

    test("a return comes after its settlement, and can't be expected any more when its time is over", async () => {
      const [stays, returns] = [await settled(), ask("returned")];
      await submit(returns);
      assert.equal((await read(returns, 1)).kind, "settled");
      assert.deepEqual(await read(returns, 2), { kind: "returned", code: "returned" });
      const state = await read(stays, 1);
      assert.ok(state.kind === "settled" && state.returnableUntil <= later(ASKED_AT, 2 * under.settlesAfter));
    });

    test("a credit that is repeated moves nothing twice, and is answered the same", async () => {
      const debit = await settled();
      const reference = newReference("rfd");
      const answers = await Promise.all(Array.from({ length: 20 }, () => credit(debit, 7, reference)));
      answers.push(await credit(debit, 7, reference));
      for (const answer of answers) assert.deepEqual(answer, answers[0]);
      assert.equal(answers[0]?.kind, "approved");
      assert.equal((await under.booked(debit.reference)).given, 7);
    });

    test("credits add up to what was taken, at the most; one can be declined by itself", async () => {
      const debit = await settled();
      assert.equal((await credit(debit, debit.amount - 1)).kind, "approved");
      assert.equal((await credit(debit, 2)).kind, "declined");
      assert.equal((await credit(debit, 1)).kind, "approved");
      const large = { ...ask("approved"), amount: under.amounts.creditDeclined + 1 };
      await submit(large);
      assert.equal((await read(large, 1)).kind, "settled");
      const declined = await credit(large, under.amounts.creditDeclined);
      assert.ok(declined.kind === "declined" && declined.code in DECLINES);
      assert.equal((await under.booked(large.reference)).given, 0);
    });

    test("nothing is given back of what was not taken, or has gone back", async () => {
      const [bad, returned, waiting] = [ask("declined"), ask("returned"), ask("approved")];
      await submit(bad, returned, waiting);
      await read(bad, 1);
      await read(returned, 2);
      for (const debit of [bad, returned, waiting, ask("approved")]) {
        assert.equal((await credit(debit, 1)).kind, "declined");
      }
    });

    test("an account whose number was erased can still be given its money back, or it is declined", async () => {
      const debit = await settled();
      const answer = await bank.credit({ reference: newReference("rfd"), debit: debit.reference, amount: 1 });
      assert.ok(answer.kind === "approved" || answer.kind === "declined");
    });

    test("the account's number is in no book", async () => {
      const debit = await settled();
      await credit(debit, 1);
      const written = await under.written(debit.reference);
      assert.ok(written.includes(debit.reference));
      assert.ok(!written.includes(NUMBER) && !written.includes(NUMBER.slice(-4)));
    });
  });
}
