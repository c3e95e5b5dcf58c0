import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { ThreeDSecure } from "../../src/connectors/ports/three-d-secure.ts";

/** Whoever authenticates payers, with what the tests must know of its test environment. */
export type AuthenticatorUnderTest = {
  readonly threeDSecure: ThreeDSecure;
  readonly amounts: { readonly passes: number; readonly fails: number; readonly asks: number };
  /** The payer's answer on the bank's own page, at the address that `begin` gave. */
  readonly answer: (url: string, passed: boolean) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** What every 3D Secure connector must do, whoever it is. */
export function testThreeDSecure(name: string, open: () => Promise<AuthenticatorUnderTest>): void {
  describe(`the port "3D Secure", as ${name} keeps it`, () => {
    let under: AuthenticatorUnderTest;
    let count = 0;
    before(async () => {
      under = await open();
    });
    after(() => under.close());

    const ask = (amount: number) => {
      count += 1;
      const reference = `txn_${Date.now()}_${count}`;
      return { reference, amount, surcharge: 0, currency: "AUD", cardNumber: "4111111111111111" } as const;
    };

    async function challenged() {
      const asked = ask(under.amounts.asks);
      const begun = await under.threeDSecure.begin(asked);
      assert.equal(begun.kind, "challenge");
      return { asked, url: begun.kind === "challenge" ? begun.url : "" };
    }

    test("the bank is satisfied, is not, or gives the address of its page", async () => {
      const { threeDSecure, amounts } = under;
      assert.deepEqual(await threeDSecure.begin(ask(amounts.passes)), { kind: "authenticated" });
      assert.deepEqual(await threeDSecure.begin(ask(amounts.fails)), { kind: "failed" });
      const { url } = await challenged();
      assert.match(url, /^(\/|https:\/\/)/);
    });

    test("the page's address tells nothing of payment or card, and nobody can guess it", async () => {
      const [one, other] = [await challenged(), await challenged()];
      assert.notEqual(one.url, other.url);
      for (const { url, asked } of [one, other]) {
        assert.ok(!url.includes(asked.reference) && !url.includes(asked.cardNumber.slice(-4)));
      }
    });

    test("begun again, it is the same challenge", async () => {
      const { asked, url } = await challenged();
      assert.deepEqual(await under.threeDSecure.begin(asked), { kind: "challenge", url });
    });

    test("until the payer has answered the result is open, whoever asks and how often", async () => {
      const { asked } = await challenged();
      for (let time = 0; time < 3; time += 1) {
        assert.equal(await under.threeDSecure.resultOf(asked.reference), "open");
      }
      assert.equal(await under.threeDSecure.resultOf("txn_nobody_knows"), "open");
    });

    for (const [passed, result] of [[true, "authenticated"] as const, [false, "failed"] as const]) {
      test(`what the payer answered (${passed}) is the result for good`, async () => {
        const { asked, url } = await challenged();
        const other = await challenged();
        await under.answer(url, passed);
        assert.equal(await under.threeDSecure.resultOf(asked.reference), result);
        await under.answer(url, !passed);
        assert.equal(await under.threeDSecure.resultOf(asked.reference), result);
        assert.equal(await under.threeDSecure.resultOf(other.asked.reference), "open");
      });
    }
  });
}
