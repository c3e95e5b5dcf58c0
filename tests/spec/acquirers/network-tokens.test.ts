import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { addAccount } from "../../../src/features/acquirer-accounts/index.ts";
import type { Id } from "../../../src/kernel/ids.ts";
import {
  callApi,
  getRequest,
  getTransaction,
  ok,
  payOnce,
  type Shop,
  shopOf,
} from "../../support/checkout.ts";
import { eventually } from "../../support/eventually.ts";
import { createFakeHosts } from "../../support/fake-host.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { inContext } from "../../support/operator.ts";
import { chargeOf } from "../../support/stored-cards.ts";
import { openWalletFrame, payByWallet, registerLocalhost, type Wallet } from "../../support/wallets.ts";

describe("the acquirer gets a wallet's number as a network token", () => {
  const hosts = createFakeHosts();
  let gateway: TestGateway;
  let shop: Shop;
  before(async () => {
    gateway = await startTestGateway({ wrapContext: hosts.wrapContext });
    const { id, key } = await gateway.newMerchant();
    shop = shopOf(gateway, key);
    await registerLocalhost(shop);
    await inContext(gateway.database, (ctx) =>
      addAccount(
        hosts.wrapContext(ctx),
        { id: id as Id<"merchant"> },
        { connector: "fake", settings: { name: "tokens" }, currencies: [], cardTypes: [] },
      ),
    );
    await eventually("the account takes payments", async () => {
      await payOnce(shop);
      return hosts.calls.length > 0;
    });
  });
  after(() => gateway.stop());

  const cardOf = (reference: string) =>
    hosts.calls.find((call) => call.reference === reference)?.request?.card ?? assert.fail("not sent");

  async function payAndCharge(wallet: Wallet, card: string) {
    const frame = await openWalletFrame(shop, { customerRequest: { paymentInstrument: "create" } });
    const { transactionId } = ok(await payByWallet(frame, wallet, { card, consent: true }));
    const { id, paymentInstrumentId } = (await getRequest(shop, frame.requestId)).customerResult;
    const stored = { id, paymentInstrumentId };
    const charged = ok(await callApi(shop, "POST", "/transactions", chargeOf(stored)));
    return { first: transactionId as string, charged: charged.id as string, stored };
  }

  for (const wallet of ["apple_pay", "google_pay"] as const) {
    test(`${wallet}: at the payment, with its cryptogram, and when the stored card is charged, without one`, async () => {
      const { first, charged, stored } = await payAndCharge(wallet, "visa");
      assert.equal(cardOf(first).isNetworkToken, true);
      assert.ok(cardOf(first).cryptogram);
      assert.equal(cardOf(charged).isNetworkToken, true);
      assert.equal(cardOf(charged).cryptogram, undefined);
      const { id, paymentInstrumentId } = stored;
      const path = `/customers/${id}/paymentinstruments/${paymentInstrumentId}`;
      const shown = [await getTransaction(shop, first), ok(await callApi(shop, "GET", path))];
      assert.ok(!JSON.stringify(shown).includes("isNetworkToken"), "merchants do not see it");
    });
  }

  test("not a number that Google had on file, nor a typed one", async () => {
    const { first, charged } = await payAndCharge("google_pay", "visa_number_only");
    for (const reference of [first, charged]) assert.equal(cardOf(reference).isNetworkToken, false);
    const { transactionId } = await payOnce(shop);
    assert.ok(!cardOf(transactionId).isNetworkToken);
  });
});
