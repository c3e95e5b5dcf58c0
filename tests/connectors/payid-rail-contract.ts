import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { PayIdRail, RegistrationRequest } from "../../src/connectors/ports/payid-rail.ts";
import { APPROVALS, DECLINES } from "../../src/kernel/codes/outcomes.ts";

/** A rail with what the tests must know of its test environment. */
export type RailUnderTest = {
  readonly rail: PayIdRail;
  /** The amount of a refund that is declined. */
  readonly declined: number;
  /** Somebody pays to that PayID; gives the bank's id of the transfer. */
  readonly pay: (payId: string, amount: number) => Promise<string>;
  /** What its own books say: is the PayID reachable, and what of a transfer was sent back. */
  readonly reachable: (payId: string) => Promise<boolean>;
  readonly givenBack: (transfer: string) => Promise<{ returned: number; refunded: number }>;
  readonly close: () => Promise<void>;
};

/** What every PayID rail must do, whoever it is. The gateway's promises rest on this and on nothing else. */
export function testPayIdRail(name: string, open: () => Promise<RailUnderTest>): void {
  describe(`the port "PayID rail", as ${name} keeps it`, () => {
    let under: RailUnderTest;
    let rail: PayIdRail;
    let count = 0;
    before(async () => {
      under = await open();
      rail = under.rail;
    });
    after(() => under.close());

    const fresh = (what: string) => {
      count += 1;
      return `${what}_${Date.now()}_${count}`;
    };
    const ask = (changes: Partial<RegistrationRequest> = {}): RegistrationRequest => ({
      reference: fresh("pr"),
      payId: `${fresh("order")}@payid.example`,
      account: "mer_1",
      accountName: "Tea shop",
      amount: 3000,
      ...changes,
    });
    const tenTimes = <Answer>(call: () => Promise<Answer>) =>
      Promise.all(Array.from({ length: 10 }, () => call()));

    test("an approval and a decline have codes of the catalogue, and nothing else", async () => {
      const approved = await rail.register(ask());
      assert.deepEqual(Object.keys(approved).sort(), ["code", "kind"]);
      assert.ok(approved.kind === "approved" && approved.code in APPROVALS);
      const transfer = await under.pay(ask().payId, under.declined);
      const declined = await rail.refund({ reference: fresh("rfd"), transfer, amount: under.declined });
      assert.deepEqual(Object.keys(declined).sort(), ["code", "kind"]);
      assert.ok(declined.kind === "declined" && declined.code in DECLINES);
    });

    test("a PayID is reachable from its registration to its release, however often both are asked for", async () => {
      const asked = ask();
      assert.equal(await under.reachable(asked.payId), false);
      for (const answer of await tenTimes(() => rail.register(asked))) assert.equal(answer.kind, "approved");
      assert.equal(await under.reachable(asked.payId), true);
      for (const answer of await tenTimes(() => rail.release(asked.reference)))
        assert.equal(answer.kind, "approved");
      assert.equal(await under.reachable(asked.payId), false);
    });

    test("a release that comes before its registration keeps the PayID from being reachable", async () => {
      const asked = ask();
      assert.equal((await rail.release(asked.reference)).kind, "approved");
      assert.equal((await rail.register(asked)).kind, "declined");
      assert.equal(await under.reachable(asked.payId), false);
    });

    test("a release at the same time as its registration leaves nothing standing", async () => {
      for (let time = 0; time < 20; time += 1) {
        const asked = ask();
        await Promise.all([rail.register(asked), rail.release(asked.reference)]);
        assert.equal(await under.reachable(asked.payId), false);
      }
    });

    test("the release of an earlier registration leaves a later one of the same PayID standing", async () => {
      const earlier = ask();
      const later = ask({ payId: earlier.payId });
      await rail.register(earlier);
      await rail.register(later);
      await rail.release(earlier.reference);
      assert.equal(await under.reachable(later.payId), true);
      await rail.release(later.reference);
      assert.equal(await under.reachable(later.payId), false);
    });

    test("a transfer is sent back once, whole, however often that is asked for", async () => {
      const transfer = await under.pay(ask().payId, 2999);
      const whole = { reference: fresh("itr"), transfer, amount: 2999 };
      for (const answer of await tenTimes(() => rail.returnTransfer(whole)))
        assert.equal(answer.kind, "approved");
      assert.deepEqual(await under.givenBack(transfer), { returned: 2999, refunded: 0 });
    });

    test("nobody else sends it back again, and nothing is refunded of it", async () => {
      const transfer = await under.pay(ask().payId, 2999);
      await rail.returnTransfer({ reference: fresh("itr"), transfer, amount: 2999 });
      const again = { reference: fresh("itr"), transfer, amount: 2999 };
      assert.equal((await rail.returnTransfer(again)).kind, "declined");
      const refund = { reference: fresh("rfd"), transfer, amount: 1 };
      assert.equal((await rail.refund(refund)).kind, "declined");
      assert.deepEqual(await under.givenBack(transfer), { returned: 2999, refunded: 0 });
    });

    test("a part of a transfer, or one that never was, is not sent back", async () => {
      const transfer = await under.pay(ask().payId, 3001);
      for (const wrong of [
        { transfer, amount: 3000 },
        { transfer: fresh("stranger"), amount: 3001 },
      ]) {
        assert.equal((await rail.returnTransfer({ reference: fresh("itr"), ...wrong })).kind, "declined");
        assert.deepEqual(await under.givenBack(wrong.transfer), { returned: 0, refunded: 0 });
      }
    });

    test("a refund that is repeated moves nothing twice, and is answered the same", async () => {
      const transfer = await under.pay(ask().payId, 20_000);
      for (const [amount, kind] of [
        [700, "approved"],
        [under.declined, "declined"],
      ] as const) {
        const refund = { reference: fresh("rfd"), transfer, amount };
        for (const answer of await tenTimes(() => rail.refund(refund))) assert.equal(answer.kind, kind);
      }
      assert.deepEqual(await under.givenBack(transfer), { returned: 0, refunded: 700 });
    });

    test("several refunds of one transfer are each their own; of one that never was there is none", async () => {
      const transfer = await under.pay(ask().payId, 3000);
      for (const amount of [3, 4])
        assert.equal((await rail.refund({ reference: fresh("rfd"), transfer, amount })).kind, "approved");
      assert.deepEqual(await under.givenBack(transfer), { returned: 0, refunded: 7 });
      const stranger = { reference: fresh("rfd"), transfer: fresh("stranger"), amount: 1 };
      assert.equal((await rail.refund(stranger)).kind, "declined");
    });
  });
}
