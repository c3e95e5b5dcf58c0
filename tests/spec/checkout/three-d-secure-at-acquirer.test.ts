import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { AuthorisationRequest } from "../../../src/connectors/ports/card-acquirer.ts";
import { authenticationData } from "../../../src/connectors/sandbox/three-d-secure-messages.ts";
import { findInTables, formsOf } from "../../support/canary.ts";
import {
  answerChallenge,
  CARD,
  callApi,
  ok,
  openFrame,
  payOnce,
  type Shop,
  shopOf,
} from "../../support/checkout.ts";
import { withAcquirer } from "../../support/fake-acquirer.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { assertInvariants } from "../../support/invariants.ts";

const SECURE = { authenticationType: "3d_secure" };

describe("contract 12: the acquirer gets the data of 3D Secure", () => {
  let gateway: TestGateway;
  let shop: Shop;
  const seen = new Map<string, AuthorisationRequest["authentication"]>();
  before(async () => {
    gateway = await startTestGateway({
      wrapContext: (ctx) =>
        withAcquirer(ctx, ({ authorise }) => ({
          authorise: (request, signal) => {
            seen.set(request.reference, request.authentication);
            return authorise(request, signal);
          },
        })),
    });
    shop = shopOf(gateway);
    ok(await callApi(shop, "PUT", "/management/account", { threeDSecureUnavailable: "proceed" }));
  });
  after(async () => {
    await assertInvariants(gateway.database);
    await gateway.stop();
  });

  for (const [amount, status] of [
    [3000, "Y"],
    [14_426, "A"],
    [14_427, "U"],
  ] as const) {
    test(`status ${status}, with indicator, cryptogram, DS transaction id and version as far as there are any`, async () => {
      const { transactionId, paid } = await payOnce(shop, { amount, category: SECURE });
      assert.equal(paid.state, "approved");
      assert.deepEqual(seen.get(transactionId), authenticationData(transactionId, CARD.number, status));
    });
  }

  test("after a challenge, too", async () => {
    const frame = await openFrame(shop, { amount: 14_418, category: SECURE });
    const { challenge, transactionId } = ok(await frame.pay());
    await answerChallenge(shop, challenge.url, "approve");
    assert.equal(ok(await frame.continue(challenge.sealed)).state, "approved");
    assert.deepEqual(seen.get(transactionId), authenticationData(transactionId, CARD.number, "Y"));
  });

  test("without 3D Secure there is none", async () => {
    const { transactionId } = await payOnce(shop);
    assert.deepEqual([seen.has(transactionId), seen.get(transactionId)], [true, undefined]);
  });

  test("no cryptogram is in any table", async () => {
    const cavvs = [...seen.values()].flatMap((data) => data?.cavv ?? []);
    assert.equal(cavvs.length, 3);
    assert.deepEqual(await findInTables(gateway.database, cavvs.flatMap(formsOf)), []);
  });
});
