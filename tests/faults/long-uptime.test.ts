import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { DAY, HOUR, instant, MINUTE } from "../../src/kernel/time.ts";
import {
  answerChallenge,
  callApi,
  getRequest,
  getTransaction,
  ok,
  openFrame,
  type Shop,
} from "../support/checkout.ts";
import { signedIn } from "../support/dashboard.ts";
import { approvedDebit } from "../support/debits.ts";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";
import { createHosted } from "../support/hosted-page.ts";
import { assertInvariantsAndStop } from "../support/invariants.ts";
import { startReceiver } from "../support/receiver.ts";
import { chargeOf, type Stored, storedCard } from "../support/stored-cards.ts";
import { CARD_FORM, hiddenField, visitPage } from "../support/visit-page.ts";
import { openWalletFrame, payByWallet, walletShop } from "../support/wallets.ts";

/** Caches that last minutes, hours or days must not serve stale data, or fail, once they have expired. */
describe("PROOF I23: a long-running gateway works like a freshly started one", () => {
  let ahead = 0;
  const now = () => instant(Date.now() + ahead);
  let gateway: TestGateway;
  let shop: Shop;
  let stored: Stored;
  before(async () => {
    gateway = await startTestGateway({ now });
    shop = await walletShop(gateway);
    stored = await storedCard(shop, {}, { total: 3046 });
  });
  after(() => assertInvariantsAndStop(gateway));

  async function payBehindChallenge(): Promise<void> {
    const category = { authenticationType: "3d_secure" };
    const frame = await openFrame(shop, { amount: 14_418, category });
    const { state, challenge } = ok(await frame.pay({ total: 14_601 }));
    assert.equal(state, "challenge");
    ok(await answerChallenge(shop, challenge.url, "approve"));
    assert.equal(ok(await frame.continue(challenge.sealed)).state, "approved");
  }

  async function confirmSurcharge(): Promise<void> {
    const { id, hostedPaymentPage } = await createHosted(shop);
    const confirmation = await visitPage(shop, hostedPaymentPage.url, CARD_FORM);
    const [total, sealed] = [hiddenField(confirmation, "total"), hiddenField(confirmation, "sealed")];
    assert.ok(total !== undefined && sealed !== undefined, confirmation.text);
    await visitPage(shop, hostedPaymentPage.url, { attempt: "0", total, sealed });
    const { transactionResult } = await getRequest(shop, id);
    assert.equal((await getTransaction(shop, transactionResult.id)).result.status, "approved");
  }

  async function chargeStored(): Promise<void> {
    for (const card of [stored, await storedCard(shop, {}, { total: 3046 })])
      assert.equal(
        ok(await callApi(shop, "POST", "/transactions", chargeOf(card))).result.status,
        "approved",
      );
  }

  async function payWithWallets(): Promise<void> {
    for (const wallet of ["apple_pay", "google_pay"] as const) {
      const paid = await payByWallet(await openWalletFrame(shop), wallet, { total: 3046 });
      assert.equal(ok(paid).state, "approved");
    }
  }

  async function receiveSignedEvent(): Promise<void> {
    const receiver = await startReceiver();
    const { id } = ok(
      await callApi(shop, "POST", "/webhooks", { event: "payment_requests", url: receiver.url }),
    );
    const before = ok(await callApi(shop, "GET", "/webhooks/signingkey"));
    const rotated = ok(await callApi(shop, "POST", "/webhooks/signingkey/rotate"));
    await openFrame(shop);
    const [one] = await receiver.until(1);
    const signature = (key: string) =>
      createHmac("sha256", key)
        .update(one?.body ?? "")
        .digest("hex");
    assert.equal(one?.headers["x-signature"], signature(rotated.signingKey));
    assert.equal(one?.headers["x-signature-previous"], signature(before.signingKey));
    ok(await callApi(shop, "DELETE", `/webhooks/${id}`));
  }

  async function openDashboard(): Promise<void> {
    const { id } = await gateway.newMerchant();
    const visitor = await signedIn(gateway, { role: "admin", merchantId: id }, now);
    assert.equal((await visitor.get(`/dashboard/${id}`)).status, 200);
  }

  const ages: readonly [string, number][] = [
    ["a moment", 0],
    ["6 minutes", 6 * MINUTE],
    ["2 hours", 2 * HOUR],
    ["26 hours", 26 * HOUR],
    ["8 days", 8 * DAY],
  ];
  for (const [duration, age] of ages) {
    test(`after ${duration}, payments, webhooks and the dashboard work`, async () => {
      ahead = age;
      await payBehindChallenge();
      await confirmSurcharge();
      await chargeStored();
      await payWithWallets();
      await receiveSignedEvent();
      await approvedDebit(shop);
      await openDashboard();
    });
  }
});
