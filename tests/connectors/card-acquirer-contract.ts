import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { AuthorisationRequest, CardAcquirer } from "../../src/connectors/ports/card-acquirer.ts";
import { APPROVALS, DECLINES } from "../../src/kernel/codes/outcomes.ts";
import { cents } from "../../src/kernel/money.ts";
import { type DrivenAcquirer, driveAcquirer } from "./drive-acquirer.ts";

/** An acquirer with the values of its test environment that the tests need. */
export type AcquirerUnderTest = {
  readonly acquirer: CardAcquirer;
  readonly amounts: {
    readonly approved: number;
    readonly declined: number;
    /** An amount of which only a part is approved; left out where the test environment has none. */
    readonly partial?: { readonly amount: number; readonly approved: number };
  };
  /** A reversal that comes before its authorisation does nothing. The gateway sends it once more after that. */
  readonly forgetsEarlyReversals?: boolean;
  /** The acquirer's own ledger: held by an authorisation, captured from it, refunded from it. */
  readonly ledgerOf: (reference: string) => Promise<{ held: number; captured: number; refunded: number }>;
  readonly close: () => Promise<void>;
};

/** The contract of every card acquirer. The gateway's guarantees rest on these rules alone. */
export function testCardAcquirer(name: string, open: () => Promise<AcquirerUnderTest>): void {
  describe(`card acquirer contract: ${name}`, () => {
    let subject: AcquirerUnderTest;
    let acquirer: DrivenAcquirer;
    let count = 0;
    before(async () => {
      subject = await open();
      acquirer = driveAcquirer(subject.acquirer);
    });
    after(() => subject.close());

    const newReference = (prefix: string) => {
      count += 1;
      return `${prefix}_${Date.now()}_${count}`;
    };

    const newRequest = (changes: Partial<AuthorisationRequest> = {}): AuthorisationRequest => ({
      reference: newReference("txn"),
      paymentRequestId: newReference("pr"),
      amount: cents(subject.amounts.approved),
      surcharge: cents(0),
      currency: "AUD",
      isCapturedAtOnce: true,
      origin: "internet",
      initiator: "payer",
      card: { number: "4111111111111111", expiryMonth: 12, expiryYear: 2030, securityCode: "123" },
      ...changes,
    });

    async function authorised(changes: Partial<AuthorisationRequest> = {}): Promise<AuthorisationRequest> {
      const request = newRequest(changes);
      assert.equal((await acquirer.authorise(request)).kind, "approved");
      return request;
    }

    test("an approval and a decline carry a catalogue code and the acquirer's own response code", async () => {
      const approved = await acquirer.authorise(newRequest());
      assert.ok(approved.kind === "approved" && approved.code in APPROVALS);
      assert.ok(approved.facts?.responseCode !== undefined);
      assert.ok(approved.facts.networkTransactionId !== undefined);
      assert.equal(approved.approvedAmount, undefined);
      const declined = await acquirer.authorise(newRequest({ amount: cents(subject.amounts.declined) }));
      assert.ok(declined.kind === "declined" && declined.code in DECLINES);
      assert.ok(declined.facts?.responseCode !== undefined);
    });

    test("an answer holds no card number and no security code", async () => {
      const request = newRequest();
      const answers = [await acquirer.authorise(request), await acquirer.reverse(request.reference)];
      for (const text of answers.map((answer) => JSON.stringify(answer))) {
        assert.ok(!text.includes(request.card.number));
        assert.ok(!/"123"/.test(text));
      }
    });

    test("the flag for inquiries says whether the method is there", () => {
      assert.equal(subject.acquirer.inquire !== undefined, subject.acquirer.can.inquire);
    });

    test("a verification holds nothing", async () => {
      const request = newRequest({ amount: cents(0), isCapturedAtOnce: false });
      assert.equal((await acquirer.verify(request)).kind, "approved");
      assert.equal((await subject.ledgerOf(request.reference)).held, 0);
    });

    test("a void releases the hold of an authorisation once", async () => {
      const { reference: transaction, amount } = await authorised({ isCapturedAtOnce: false });
      const operation = { reference: newReference("mov"), transaction, amount };
      for (let time = 0; time < 2; time += 1) {
        assert.equal((await acquirer.void(operation)).kind, "approved");
        assert.equal((await subject.ledgerOf(transaction)).held, 0);
      }
    });

    test("a test of the connection succeeds", async () => {
      const { hasPassed, detail } = await subject.acquirer.test(AbortSignal.timeout(10_000));
      assert.ok(hasPassed, detail);
    });

    test("an authorisation holds the amount plus the surcharge", async () => {
      const { reference, amount } = await authorised({ surcharge: cents(45) });
      assert.equal((await subject.ledgerOf(reference)).held, amount + 45);
    });

    test("a partial approval carries what was approved, holds only that, and no more can be captured", async (t) => {
      const { partial } = subject.amounts;
      if (partial === undefined) return t.skip("no amount of the test environment is approved in part");
      const approvedAmount = cents(partial.approved);
      const request = newRequest({
        amount: cents(partial.amount),
        surcharge: cents(45),
        isCapturedAtOnce: false,
      });
      const { reference: transaction } = request;
      const answer = await acquirer.authorise(request);
      assert.ok(answer.kind === "approved" && answer.code in APPROVALS);
      assert.equal(answer.approvedAmount, approvedAmount);
      if (subject.acquirer.can.inquire) assert.deepEqual(await acquirer.inquire(transaction), answer);
      assert.deepEqual(await acquirer.authorise(request), answer);
      assert.equal((await subject.ledgerOf(transaction)).held, approvedAmount);
      const above = { reference: newReference("mov"), transaction, amount: cents(partial.approved + 1) };
      assert.equal((await acquirer.capture(above)).kind, "declined");
      const all = { reference: newReference("mov"), transaction, amount: approvedAmount };
      assert.equal((await acquirer.capture(all)).kind, "approved");
      assert.equal((await subject.ledgerOf(transaction)).captured, approvedAmount);
    });

    test("a reversed partial approval leaves nothing held", async (t) => {
      const { partial } = subject.amounts;
      if (partial === undefined) return t.skip("no amount of the test environment is approved in part");
      const { reference } = await authorised({ amount: cents(partial.amount) });
      assert.equal((await acquirer.reverse(reference)).kind, "approved");
      assert.equal((await subject.ledgerOf(reference)).held, 0);
    });

    for (const outcome of ["approved", "declined"] as const) {
      test(`a repeated authorisation stays ${outcome} and holds nothing more`, async () => {
        const request = newRequest({ amount: cents(subject.amounts[outcome]) });
        const first = await acquirer.authorise(request);
        assert.equal(first.kind, outcome);
        const again = await Promise.all(Array.from({ length: 10 }, () => acquirer.authorise(request)));
        for (const answer of again) assert.deepEqual(answer, first);
        if (subject.acquirer.can.inquire) assert.deepEqual(await acquirer.inquire(request.reference), first);
        assert.equal(
          (await subject.ledgerOf(request.reference)).held,
          outcome === "approved" ? request.amount : 0,
        );
      });
    }

    test("ten concurrent authorisations hold the money once", async () => {
      const request = newRequest();
      const answers = await Promise.all(Array.from({ length: 10 }, () => acquirer.authorise(request)));
      for (const answer of answers) assert.equal(answer.kind, "approved");
      assert.equal((await subject.ledgerOf(request.reference)).held, request.amount);
    });

    test("an inquiry about an unknown reference returns never_seen and changes nothing", async () => {
      const request = newRequest();
      if (subject.acquirer.can.inquire)
        assert.deepEqual(await acquirer.inquire(request.reference), { kind: "never_seen" });
      if (subject.acquirer.can.inquire)
        assert.deepEqual(await acquirer.inquire(request.reference), { kind: "never_seen" });
      assert.equal((await acquirer.authorise(request)).kind, "approved");
    });

    test("a reversal releases the full hold once, however often it is repeated", async () => {
      const { reference, amount } = await authorised({ isCapturedAtOnce: false });
      await Promise.all(Array.from({ length: 5 }, () => acquirer.reverse(reference)));
      await acquirer.reverse(reference);
      assert.equal((await subject.ledgerOf(reference)).held, 0);
      const operation = { reference: newReference("mov"), transaction: reference, amount };
      assert.equal((await acquirer.capture(operation)).kind, "declined");
      assert.equal((await subject.ledgerOf(reference)).captured, 0);
    });

    test("a reversal is approved, the repeated one too; the gateway relies on the answer", async () => {
      const { reference } = await authorised();
      const declined = newRequest({ amount: cents(subject.amounts.declined) });
      await acquirer.authorise(declined);
      for (const one of [reference, reference, declined.reference, newReference("txn")]) {
        assert.equal((await acquirer.reverse(one)).kind, "approved");
      }
    });

    test("a reversal of a captured authorisation is declined and changes nothing", async () => {
      const { reference, amount } = await authorised({ isCapturedAtOnce: false });
      const operation = { reference: newReference("mov"), transaction: reference, amount };
      assert.equal((await acquirer.capture(operation)).kind, "approved");
      const answer = await acquirer.reverse(reference);
      assert.ok(answer.kind === "declined" && answer.code in DECLINES);
      const { held, captured } = await subject.ledgerOf(reference);
      assert.deepEqual([held, captured], [amount, amount]);
    });

    test("a declined capture takes nothing, and the authorisation can still be captured or reversed", async () => {
      const [one, other] = [
        await authorised({ isCapturedAtOnce: false }),
        await authorised({ isCapturedAtOnce: false }),
      ];
      for (const { reference: transaction, amount } of [one, other]) {
        const above = { reference: newReference("mov"), transaction, amount: cents(amount + 1) };
        assert.equal((await acquirer.capture(above)).kind, "declined");
        assert.equal((await acquirer.capture(above)).kind, "declined");
      }
      const full = { reference: newReference("mov"), transaction: one.reference, amount: one.amount };
      assert.equal((await acquirer.capture(full)).kind, "approved");
      assert.equal((await acquirer.reverse(other.reference)).kind, "approved");
      assert.equal((await subject.ledgerOf(other.reference)).held, 0);
    });

    test("reversing a decline changes nothing", async () => {
      const request = newRequest({ amount: cents(subject.amounts.declined) });
      const declined = await acquirer.authorise(request);
      await acquirer.reverse(request.reference);
      if (subject.acquirer.can.inquire) assert.deepEqual(await acquirer.inquire(request.reference), declined);
    });

    test("a reversal before its authorisation makes the authorisation decline", async (t) => {
      if (subject.forgetsEarlyReversals)
        return t.skip("the acquirer forgets a reversal that comes too early");
      const request = newRequest();
      await acquirer.reverse(request.reference);
      assert.equal((await acquirer.authorise(request)).kind, "declined");
      if (subject.acquirer.can.inquire)
        assert.equal((await acquirer.inquire(request.reference)).kind, "declined");
      assert.equal((await subject.ledgerOf(request.reference)).held, 0);
    });

    test("a reversal concurrent with its authorisation leaves nothing held", async () => {
      for (let time = 0; time < 20; time += 1) {
        const request = newRequest();
        await Promise.all([acquirer.authorise(request), acquirer.reverse(request.reference)]);
        if (subject.forgetsEarlyReversals) await acquirer.reverse(request.reference);
        assert.equal((await subject.ledgerOf(request.reference)).held, 0);
      }
    });

    test("a capture takes its amount, up to the authorised amount", async () => {
      const { reference: transaction, amount } = await authorised({ isCapturedAtOnce: false });
      const above = { reference: newReference("mov"), transaction, amount: cents(amount + 1) };
      assert.equal((await acquirer.capture(above)).kind, "declined");
      const part = { reference: newReference("mov"), transaction, amount: cents(amount - 1) };
      assert.equal((await acquirer.capture(part)).kind, "approved");
      assert.equal((await subject.ledgerOf(transaction)).captured, amount - 1);
    });

    for (const verb of ["capture", "refund"] as const) {
      test(`a repeated ${verb} moves money once and returns the same result`, async () => {
        const { reference: transaction } = await authorised({ isCapturedAtOnce: verb === "refund" });
        const operation = { reference: newReference("mov"), transaction, amount: cents(7) };
        const answers = await Promise.all(Array.from({ length: 10 }, () => acquirer[verb](operation)));
        answers.push(await acquirer[verb](operation));
        for (const answer of answers) {
          assert.deepEqual(answer, answers[0]);
          assert.equal(answer.kind, "approved");
        }
        assert.equal((await subject.ledgerOf(transaction))[verb === "capture" ? "captured" : "refunded"], 7);
      });

      test(`a ${verb} of an unknown, declined or reversed authorisation is declined`, async () => {
        const declined = newRequest({ amount: cents(subject.amounts.declined) });
        await acquirer.authorise(declined);
        const reversed = await authorised();
        await acquirer.reverse(reversed.reference);
        for (const transaction of [newReference("txn"), declined.reference, reversed.reference]) {
          const answer = await acquirer[verb]({
            reference: newReference("mov"),
            transaction,
            amount: cents(1),
          });
          assert.ok(answer.kind === "declined" && answer.code in DECLINES);
        }
      });
    }

    test("refunds of one payment are independent and add up", async () => {
      const { reference: transaction } = await authorised();
      for (const amount of [3, 4]) {
        const refund = { reference: newReference("rfd"), transaction, amount: cents(amount) };
        assert.equal((await acquirer.refund(refund)).kind, "approved");
      }
      assert.equal((await subject.ledgerOf(transaction)).refunded, 7);
    });
  });
}
