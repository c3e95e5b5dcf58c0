import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { AuthorisationRequest, CardAcquirer } from "../../src/connectors/ports/card-acquirer.ts";
import { APPROVALS, DECLINES } from "../../src/kernel/codes/outcomes.ts";

/** An acquirer with what the tests must know of its test environment. */
export type AcquirerUnderTest = {
  readonly acquirer: CardAcquirer;
  readonly amounts: { readonly approved: number; readonly declined: number };
  /** What its own books say: what an authorisation took or holds, what was captured of it, what was given back. */
  readonly booked: (reference: string) => Promise<{ held: number; captured: number; refunded: number }>;
  readonly close: () => Promise<void>;
};

/** What every card acquirer must do, whoever it is. The gateway's promises rest on this and on nothing else. */
export function testCardAcquirer(name: string, open: () => Promise<AcquirerUnderTest>): void {
  describe(`the port "card acquirer", as ${name} keeps it`, () => {
    let under: AcquirerUnderTest;
    let acquirer: CardAcquirer;
    let count = 0;
    before(async () => {
      under = await open();
      acquirer = under.acquirer;
    });
    after(() => under.close());

    const newReference = (what: string) => {
      count += 1;
      return `${what}_${Date.now()}_${count}`;
    };

    const ask = (changes: Partial<AuthorisationRequest> = {}): AuthorisationRequest => ({
      reference: newReference("txn"),
      order: newReference("pr"),
      amount: under.amounts.approved,
      surcharge: 0,
      currency: "AUD",
      capture: true,
      authenticated: false,
      card: { number: "4111111111111111", expiryMonth: 12, expiryYear: 2030, securityCode: "123" },
      ...changes,
    });

    async function authorised(changes: Partial<AuthorisationRequest> = {}): Promise<AuthorisationRequest> {
      const asked = ask(changes);
      assert.equal((await acquirer.authorise(asked)).kind, "approved");
      return asked;
    }

    test("an approval and a decline have codes of the catalogue, and nothing else", async () => {
      const approved = await acquirer.authorise(ask());
      assert.deepEqual(Object.keys(approved).sort(), ["code", "kind"]);
      assert.ok(approved.kind === "approved" && approved.code in APPROVALS);
      const declined = await acquirer.authorise(ask({ amount: under.amounts.declined }));
      assert.deepEqual(Object.keys(declined).sort(), ["code", "kind"]);
      assert.ok(declined.kind === "declined" && declined.code in DECLINES);
    });

    test("the amount and the surcharge are taken together", async () => {
      const { reference, amount } = await authorised({ surcharge: 45 });
      assert.equal((await under.booked(reference)).held, amount + 45);
    });

    for (const outcome of ["approved", "declined"] as const) {
      test(`an authorisation that was ${outcome} is so for good: repeated, it takes nothing more`, async () => {
        const asked = ask({ amount: under.amounts[outcome] });
        const first = await acquirer.authorise(asked);
        assert.equal(first.kind, outcome);
        const again = await Promise.all(Array.from({ length: 10 }, () => acquirer.authorise(asked)));
        for (const answer of again) assert.deepEqual(answer, first);
        assert.deepEqual(await acquirer.inquire(asked.reference), first);
        assert.equal((await under.booked(asked.reference)).held, outcome === "approved" ? asked.amount : 0);
      });
    }

    test("authorised ten times at once, it takes the money once", async () => {
      const asked = ask();
      const answers = await Promise.all(Array.from({ length: 10 }, () => acquirer.authorise(asked)));
      for (const answer of answers) assert.equal(answer.kind, "approved");
      assert.equal((await under.booked(asked.reference)).held, asked.amount);
    });

    test("an inquiry about what was never seen says so and changes nothing", async () => {
      const asked = ask();
      assert.deepEqual(await acquirer.inquire(asked.reference), { kind: "never_seen" });
      assert.deepEqual(await acquirer.inquire(asked.reference), { kind: "never_seen" });
      assert.equal((await acquirer.authorise(asked)).kind, "approved");
    });

    test("a reversal gives everything back, once, however often it is asked for", async () => {
      const { reference, amount } = await authorised({ capture: false });
      await Promise.all(Array.from({ length: 5 }, () => acquirer.reverse(reference)));
      await acquirer.reverse(reference);
      assert.equal((await under.booked(reference)).held, 0);
      const movement = { reference: newReference("mov"), transaction: reference, amount };
      assert.equal((await acquirer.capture(movement)).kind, "declined");
      assert.equal((await under.booked(reference)).captured, 0);
    });

    test("a reversal of a decline changes nothing", async () => {
      const asked = ask({ amount: under.amounts.declined });
      const declined = await acquirer.authorise(asked);
      await acquirer.reverse(asked.reference);
      assert.deepEqual(await acquirer.inquire(asked.reference), declined);
    });

    test("a reversal that comes before its authorisation keeps it from taking anything", async () => {
      const asked = ask();
      await acquirer.reverse(asked.reference);
      assert.equal((await acquirer.authorise(asked)).kind, "declined");
      assert.equal((await acquirer.inquire(asked.reference)).kind, "declined");
      assert.equal((await under.booked(asked.reference)).held, 0);
    });

    test("a reversal at the same time as its authorisation leaves nothing taken", async () => {
      for (let time = 0; time < 20; time += 1) {
        const asked = ask();
        await Promise.all([acquirer.authorise(asked), acquirer.reverse(asked.reference)]);
        assert.equal((await under.booked(asked.reference)).held, 0);
      }
    });

    test("a capture takes what it says, up to what was authorised", async () => {
      const { reference: transaction, amount } = await authorised({ capture: false });
      const above = { reference: newReference("mov"), transaction, amount: amount + 1 };
      assert.equal((await acquirer.capture(above)).kind, "declined");
      const part = { reference: newReference("mov"), transaction, amount: amount - 1 };
      assert.equal((await acquirer.capture(part)).kind, "approved");
      assert.equal((await under.booked(transaction)).captured, amount - 1);
    });

    for (const verb of ["capture", "refund"] as const) {
      test(`a ${verb} that is repeated moves nothing twice, and is answered the same`, async () => {
        const { reference: transaction } = await authorised({ capture: verb === "refund" });
        const movement = { reference: newReference("mov"), transaction, amount: 7 };
        const answers = await Promise.all(Array.from({ length: 10 }, () => acquirer[verb](movement)));
        answers.push(await acquirer[verb](movement));
        for (const answer of answers) {
          assert.deepEqual(answer, answers[0]);
          assert.equal(answer.kind, "approved");
        }
        assert.equal((await under.booked(transaction))[verb === "capture" ? "captured" : "refunded"], 7);
      });

      test(`a ${verb} of nothing, of a decline or of a reversal is declined`, async () => {
        const declined = ask({ amount: under.amounts.declined });
        await acquirer.authorise(declined);
        const reversed = await authorised();
        await acquirer.reverse(reversed.reference);
        for (const transaction of [newReference("txn"), declined.reference, reversed.reference]) {
          const answer = await acquirer[verb]({ reference: newReference("mov"), transaction, amount: 1 });
          assert.ok(answer.kind === "declined" && answer.code in DECLINES);
        }
      });
    }

    test("several refunds of one payment are each their own", async () => {
      const { reference: transaction } = await authorised();
      for (const amount of [3, 4]) {
        const refund = { reference: newReference("rfd"), transaction, amount };
        assert.equal((await acquirer.refund(refund)).kind, "approved");
      }
      assert.equal((await under.booked(transaction)).refunded, 7);
    });
  });
}
