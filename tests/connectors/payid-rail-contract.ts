import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { PayIdRail, RegistrationRequest } from "../../src/connectors/ports/payid-rail.ts";
import { APPROVALS, DECLINES } from "../../src/kernel/codes/outcomes.ts";
import { cents } from "../../src/kernel/money.ts";

/** A rail with the values of its test environment that the tests need. */
export type RailUnderTest = {
  readonly rail: PayIdRail;
  /** A refund of this amount is declined. */
  readonly declined: number;
  /** A payer sends a transfer to the PayID; returns the bank's id of the transfer. */
  readonly pay: (payId: string, amount: number) => Promise<string>;
  /** The rail's own ledger: whether the PayID is reachable, and what was returned or refunded from a transfer. */
  readonly reachable: (payId: string) => Promise<boolean>;
  readonly sentBack: (transfer: string) => Promise<{ returned: number; refunded: number }>;
  readonly close: () => Promise<void>;
};

/** The contract of every PayID rail. The gateway's guarantees rest on these rules alone. */
export function testPayIdRail(name: string, open: () => Promise<RailUnderTest>): void {
  describe(`PayID rail contract: ${name}`, () => {
    let subject: RailUnderTest;
    let rail: PayIdRail;
    let count = 0;
    before(async () => {
      subject = await open();
      rail = subject.rail;
    });
    after(() => subject.close());

    const newReference = (prefix: string) => {
      count += 1;
      return `${prefix}_${Date.now()}_${count}`;
    };
    const newRegistration = (changes: Partial<RegistrationRequest> = {}): RegistrationRequest => ({
      reference: newReference("pr"),
      payId: `${newReference("order")}@payid.example`,
      account: "mer_1",
      accountName: "Tea shop",
      amount: cents(3000),
      ...changes,
    });
    const tenTimes = <Answer>(call: () => Promise<Answer>) =>
      Promise.all(Array.from({ length: 10 }, () => call()));

    test("an approval and a decline carry only a kind and a catalogue code", async () => {
      const approved = await rail.register(newRegistration());
      assert.deepEqual(Object.keys(approved).sort(), ["code", "kind"]);
      assert.ok(approved.kind === "approved" && approved.code in APPROVALS);
      const transfer = await subject.pay(newRegistration().payId, subject.declined);
      const declined = await rail.refund({
        reference: newReference("rfd"),
        transfer,
        amount: cents(subject.declined),
      });
      assert.deepEqual(Object.keys(declined).sort(), ["code", "kind"]);
      assert.ok(declined.kind === "declined" && declined.code in DECLINES);
    });

    test("a PayID is reachable from registration to release, however often both are repeated", async () => {
      const registration = newRegistration();
      assert.equal(await subject.reachable(registration.payId), false);
      for (const answer of await tenTimes(() => rail.register(registration)))
        assert.equal(answer.kind, "approved");
      assert.equal(await subject.reachable(registration.payId), true);
      for (const answer of await tenTimes(() => rail.release(registration.reference)))
        assert.equal(answer.kind, "approved");
      assert.equal(await subject.reachable(registration.payId), false);
    });

    test("a release before its registration keeps the PayID unreachable", async () => {
      const registration = newRegistration();
      assert.equal((await rail.release(registration.reference)).kind, "approved");
      assert.equal((await rail.register(registration)).kind, "declined");
      assert.equal(await subject.reachable(registration.payId), false);
    });

    test("a release concurrent with its registration leaves the PayID unreachable", async () => {
      for (let time = 0; time < 20; time += 1) {
        const registration = newRegistration();
        await Promise.all([rail.register(registration), rail.release(registration.reference)]);
        assert.equal(await subject.reachable(registration.payId), false);
      }
    });

    test("releasing an earlier registration keeps a later one of the same PayID", async () => {
      const earlier = newRegistration();
      const later = newRegistration({ payId: earlier.payId });
      await rail.register(earlier);
      await rail.register(later);
      await rail.release(earlier.reference);
      assert.equal(await subject.reachable(later.payId), true);
      await rail.release(later.reference);
      assert.equal(await subject.reachable(later.payId), false);
    });

    test("a transfer is returned once in full, however often the return is repeated", async () => {
      const transfer = await subject.pay(newRegistration().payId, 2999);
      const fullReturn = { reference: newReference("itr"), transfer, amount: cents(2999) };
      for (const answer of await tenTimes(() => rail.returnTransfer(fullReturn)))
        assert.equal(answer.kind, "approved");
      assert.deepEqual(await subject.sentBack(transfer), { returned: 2999, refunded: 0 });
    });

    test("a returned transfer cannot be returned again or refunded", async () => {
      const transfer = await subject.pay(newRegistration().payId, 2999);
      await rail.returnTransfer({ reference: newReference("itr"), transfer, amount: cents(2999) });
      const again = { reference: newReference("itr"), transfer, amount: cents(2999) };
      assert.equal((await rail.returnTransfer(again)).kind, "declined");
      const refund = { reference: newReference("rfd"), transfer, amount: cents(1) };
      assert.equal((await rail.refund(refund)).kind, "declined");
      assert.deepEqual(await subject.sentBack(transfer), { returned: 2999, refunded: 0 });
    });

    test("a partial return and a return of an unknown transfer are declined", async () => {
      const transfer = await subject.pay(newRegistration().payId, 3001);
      for (const wrong of [
        { transfer, amount: cents(3000) },
        { transfer: newReference("stranger"), amount: cents(3001) },
      ]) {
        assert.equal(
          (await rail.returnTransfer({ reference: newReference("itr"), ...wrong })).kind,
          "declined",
        );
        assert.deepEqual(await subject.sentBack(wrong.transfer), { returned: 0, refunded: 0 });
      }
    });

    test("a repeated refund moves money once and returns the same result", async () => {
      const transfer = await subject.pay(newRegistration().payId, 20_000);
      for (const [amount, kind] of [
        [700, "approved"],
        [subject.declined, "declined"],
      ] as const) {
        const refund = { reference: newReference("rfd"), transfer, amount: cents(amount) };
        for (const answer of await tenTimes(() => rail.refund(refund))) assert.equal(answer.kind, kind);
      }
      assert.deepEqual(await subject.sentBack(transfer), { returned: 0, refunded: 700 });
    });

    test("refunds of one transfer are independent; a refund of an unknown transfer is declined", async () => {
      const transfer = await subject.pay(newRegistration().payId, 3000);
      for (const amount of [3, 4])
        assert.equal(
          (await rail.refund({ reference: newReference("rfd"), transfer, amount: cents(amount) })).kind,
          "approved",
        );
      assert.deepEqual(await subject.sentBack(transfer), { returned: 0, refunded: 7 });
      const unknownTransfer = {
        reference: newReference("rfd"),
        transfer: newReference("stranger"),
        amount: cents(1),
      };
      assert.equal((await rail.refund(unknownTransfer)).kind, "declined");
    });
  });
}
