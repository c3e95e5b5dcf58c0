import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { getRequest, getTransaction, ok, shopOf } from "../../support/checkout.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { openWalletFrame, payByWallet, registerLocalhost, type Wallet } from "../../support/wallets.ts";

let gateway: TestGateway;
before(async () => {
  gateway = await startTestGateway();
  await registerLocalhost(shopOf(gateway));
});
after(() => gateway.stop());

const WALLETS: readonly Wallet[] = ["apple_pay", "google_pay"];

describe("contract 5, 8: a wallet pays as a card does", () => {
  for (const wallet of WALLETS) {
    test(`${wallet}: the record says where the card came from`, async () => {
      const shop = shopOf(gateway);
      const frame = await openWalletFrame(shop);
      const paid = ok(await payByWallet(frame, wallet));
      assert.equal(paid.state, "approved");
      const transaction = await getTransaction(shop, paid.transactionId);
      assert.equal(transaction.category.source, wallet);
      assert.deepEqual(transaction.payment.instrument.card, {
        name: "VALUED CARDHOLDER",
        last4: "3478",
        expiryMonth: 12,
        expiryYear: new Date().getUTCFullYear() + 3,
        cardType: "visa",
        wallet,
      });
      assert.equal((await getRequest(shop, frame.requestId)).paymentRequestStatus, "completed");
    });
  }
});
