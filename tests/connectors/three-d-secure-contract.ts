import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { ThreeDSecure } from "../../src/connectors/ports/three-d-secure.ts";
import { cents } from "../../src/kernel/money.ts";

/** A 3D Secure connector with the values of its test environment that the tests need. */
export type AuthenticatorUnderTest = {
  readonly threeDSecure: ThreeDSecure;
  readonly amounts: { readonly passes: number; readonly fails: number; readonly challenges: number };
  /** The payer completes the challenge on the issuer's page at the URL that `begin` returned. */
  readonly answer: (url: string, passed: boolean) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** The contract of every 3D Secure connector. */
export function testThreeDSecure(name: string, open: () => Promise<AuthenticatorUnderTest>): void {
  describe(`3D Secure contract: ${name}`, () => {
    let subject: AuthenticatorUnderTest;
    let count = 0;
    before(async () => {
      subject = await open();
    });
    after(() => subject.close());

    const newRequest = (amount: number) => {
      count += 1;
      const reference = `txn_${Date.now()}_${count}`;
      return {
        reference,
        amount: cents(amount),
        surcharge: cents(0),
        currency: "AUD",
        cardNumber: "4111111111111111",
      } as const;
    };

    async function challenged() {
      const request = newRequest(subject.amounts.challenges);
      const begun = await subject.threeDSecure.begin(request);
      assert.equal(begun.kind, "challenge");
      return { request, url: begun.kind === "challenge" ? begun.url : "" };
    }

    test("the issuer authenticates, fails, or returns the URL of its challenge page", async () => {
      const { threeDSecure, amounts } = subject;
      assert.deepEqual(await threeDSecure.begin(newRequest(amounts.passes)), { kind: "authenticated" });
      assert.deepEqual(await threeDSecure.begin(newRequest(amounts.fails)), { kind: "failed" });
      const { url } = await challenged();
      assert.match(url, /^(\/|https:\/\/)/);
    });

    test("the challenge URL reveals neither payment nor card and cannot be guessed", async () => {
      const [one, other] = [await challenged(), await challenged()];
      assert.notEqual(one.url, other.url);
      for (const { url, request } of [one, other]) {
        assert.ok(!url.includes(request.reference) && !url.includes(request.cardNumber.slice(-4)));
      }
    });

    test("beginning again returns the same challenge", async () => {
      const { request, url } = await challenged();
      assert.deepEqual(await subject.threeDSecure.begin(request), { kind: "challenge", url });
    });

    test("the result stays open until the payer answers, however often it is read", async () => {
      const { request } = await challenged();
      for (let time = 0; time < 3; time += 1) {
        assert.equal(await subject.threeDSecure.resultOf(request.reference), "open");
      }
      assert.equal(await subject.threeDSecure.resultOf("txn_unknown"), "open");
    });

    for (const [passed, result] of [[true, "authenticated"] as const, [false, "failed"] as const]) {
      test(`the payer's first answer (passed: ${passed}) is the final result`, async () => {
        const { request, url } = await challenged();
        const other = await challenged();
        await subject.answer(url, passed);
        assert.equal(await subject.threeDSecure.resultOf(request.reference), result);
        await subject.answer(url, !passed);
        assert.equal(await subject.threeDSecure.resultOf(request.reference), result);
        assert.equal(await subject.threeDSecure.resultOf(other.request.reference), "open");
      });
    }
  });
}
