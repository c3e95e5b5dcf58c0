import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { ThreeDSecure } from "../../src/connectors/ports/three-d-secure.ts";
import { BROWSER, SECURE } from "../support/challenges.ts";
import { getTransaction, openFrame, type Shop, shopOf } from "../support/checkout.ts";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";
import { assertInvariantsAndStop } from "../support/invariants.ts";

describe("3D Secure: an answer counts only in the phase in which it was asked for", () => {
  let gateway: TestGateway;
  let shop: Shop;
  /** Ends the call of the repeat, once the first has its challenge. */
  let failRepeat = () => {};
  before(async () => {
    const challengeBegan = new Promise<void>((resolve) => {
      failRepeat = resolve;
    });
    let calls = 0;
    const connector = {
      begin: async () => ({ kind: "method", handover: { url: "https://acs.example/m", fields: {} } }),
      authenticate: async () => {
        calls += 1;
        if (calls === 2) {
          await challengeBegan;
          throw new Error("in progress");
        }
        return { kind: "challenge", handover: { url: "https://acs.example/c", fields: {} } };
      },
      resultOf: async () => "open",
    } as unknown as ThreeDSecure;
    gateway = await startTestGateway({
      wrapContext: (ctx) => ({
        ...ctx,
        connectors: {
          ...ctx.connectors,
          getThreeDSecure: () => connector,
          findThreeDSecure: () => connector,
        },
      }),
    });
    shop = shopOf(gateway);
  });
  after(() => assertInvariantsAndStop(gateway));

  test("a repeated end of the method step that fails does not end the challenge", async () => {
    const frame = await openFrame(shop, { category: SECURE });
    const { body } = await frame.pay({ browser: BROWSER });
    const { sealed } = body.method;
    const end = () => frame.continue(sealed, { methodCompletion: "Y" });
    const both = [end(), end()];
    const first = await Promise.race(both);
    assert.equal(first.body.state, "challenge");
    failRepeat();
    const states = (await Promise.all(both)).map((answer) => answer.body.state);
    assert.deepEqual(
      states.toSorted((one, other) => one.localeCompare(other)),
      ["challenge", "pending"],
    );
    assert.equal((await getTransaction(shop, body.transactionId)).result.status, "pending");
  });
});
