import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import {
  answerChallenge,
  callApi,
  eventsOf,
  type Frame,
  getRequest,
  getTransaction,
  ok,
  type Shop,
  shopOf,
} from "../../support/checkout.ts";
import { eventually } from "../../support/eventually.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { openWalletFrame, payByWallet, registerLocalhost, type Wallet } from "../../support/wallets.ts";

let gateway: TestGateway;
let shop: Shop;
before(async () => {
  gateway = await startTestGateway();
  shop = shopOf(gateway);
  await registerLocalhost(shop);
});
after(() => gateway.stop());

const WALLETS: readonly Wallet[] = ["apple_pay", "google_pay"];
const secured = { category: { authenticationType: "3d_secure" } };
const paidBy = async (frame: Frame, wallet: Wallet, choice: Parameters<typeof payByWallet>[2] = {}) => {
  const paid = ok(await payByWallet(frame, wallet, choice));
  return { paid, transaction: await getTransaction(shop, paid.transactionId) };
};

describe("contract 5, 8: a wallet pays like a card", () => {
  for (const wallet of WALLETS) {
    test(`${wallet}: the transaction and every event name the wallet`, async () => {
      const frame = await openWalletFrame(shop);
      const { paid, transaction } = await paidBy(frame, wallet);
      assert.equal(paid.state, "approved");
      assert.equal(transaction.category.source, wallet);
      assert.equal("authentication" in transaction, false);
      assert.deepEqual(transaction.payment.instrument.card, {
        name: "VALUED CARDHOLDER",
        last4: "3478",
        expiryMonth: 12,
        expiryYear: new Date().getUTCFullYear() + 3,
        cardType: "visa",
        wallet,
      });
      assert.equal((await getRequest(shop, frame.requestId)).paymentRequestStatus, "completed");
      const events = await eventsOf(shop, paid.transactionId);
      assert.deepEqual(events.at(-1).payload, transaction);
    });

    test(`${wallet}: amounts select the card scenarios`, async () => {
      const codes = async (amount: number) => {
        const { transaction } = await paidBy(await openWalletFrame(shop, { amount }), wallet);
        return [transaction.result.status, transaction.result.codes[0].id];
      };
      assert.deepEqual(await codes(14_451), ["declined", "D04451"]);
      assert.deepEqual(await codes(14_482), ["declined", "D10009"]);
      assert.deepEqual(await codes(14_419), ["declined", "D04405"]);
      assert.deepEqual(await codes(14_408), ["approved", "A02008"]);
    });

    test(`${wallet}: an inquiry recovers a connection that drops after the approval`, async () => {
      const frame = await openWalletFrame(shop, { amount: 14_481 });
      const paid = ok(await payByWallet(frame, wallet));
      assert.equal(paid.state, "pending");
      await eventually("the inquiry has returned the approval", async () => {
        const { result } = await getTransaction(shop, paid.transactionId);
        return result.status === "approved";
      });
    });

    test(`${wallet}: the card's surcharge is shown and charged`, async () => {
      const rates = { visa: { percent: 1.2, fixed: 0 }, amex: { percent: 2, fixed: 10 } };
      ok(await callApi(shop, "PUT", "/management/account", { surcharging: { enabled: true, rates } }));
      try {
        const frame = await openWalletFrame(shop);
        const { transaction } = await paidBy(frame, wallet, { card: "amex", total: 3070 });
        assert.equal(transaction.payment.surcharge, 70);
        assert.equal(transaction.payment.totalAmount, 3070);
        assert.equal(transaction.payment.instrument.card.cardType, "amex");
      } finally {
        ok(await callApi(shop, "PUT", "/management/account", { surcharging: { enabled: false } }));
      }
    });

    test(`${wallet}: a cryptogram is an authentication, so 3D Secure is skipped`, async () => {
      for (const amount of [3000, 14_417, 14_418]) {
        const { paid, transaction } = await paidBy(
          await openWalletFrame(shop, { amount, ...secured }),
          wallet,
        );
        assert.equal(paid.state, "approved", String(amount));
        assert.equal("authentication" in transaction, false);
      }
      const ledger = await gateway.database.rows<{ facts: Record<string, string> }>(
        "select facts from sandbox_ledger where reference = $1",
        [(await paidBy(await openWalletFrame(shop), wallet)).transaction.id],
      );
      assert.deepEqual(
        ledger.map(({ facts }) => (typeof facts === "string" ? JSON.parse(facts) : facts).cryptogram),
        ["present"],
      );
    });

    test(`${wallet}: with consent the card is stored without its cryptogram and charged later`, async () => {
      const frame = await openWalletFrame(shop, {
        category: { frequency: "recurring" },
        customerRequest: { paymentInstrument: "create", email: "ada@example.com" },
      });
      const { transaction } = await paidBy(frame, wallet, { consent: true });
      const { customerResult } = await getRequest(shop, frame.requestId);
      const stored = ok(
        await callApi(
          shop,
          "GET",
          `/customers/${customerResult.id}/paymentinstruments/${customerResult.paymentInstrumentId}`,
        ),
      );
      assert.deepEqual(stored.card, transaction.payment.instrument.card);
      assert.equal(stored.card.wallet, wallet);
      const charge = ok(
        await callApi(shop, "POST", "/transactions", {
          category: { frequency: "recurring" },
          payment: {
            amount: 1200,
            instrument: {
              customer: { id: customerResult.id, paymentInstrumentId: customerResult.paymentInstrumentId },
            },
          },
        }),
      );
      assert.equal(charge.result.status, "approved");
      assert.equal(charge.category.source, "card");
      assert.equal(charge.payment.instrument.card.wallet, wallet);
      const secrets = await gateway.database.rows(
        "select field from vault_secrets where instrument_id = $1",
        [customerResult.paymentInstrumentId],
      );
      assert.deepEqual(secrets, [{ field: "card_number" }]);
    });
  }

  test("a card number without a cryptogram goes through 3D Secure like a typed one", async () => {
    const card = "visa_number_only";
    const frictionless = await paidBy(await openWalletFrame(shop, secured), "google_pay", { card });
    assert.equal(frictionless.transaction.authentication.status, "authenticated");
    const failing = await paidBy(await openWalletFrame(shop, { amount: 14_417, ...secured }), "google_pay", {
      card,
    });
    assert.equal(failing.transaction.result.codes[0].id, "D04417");
    const frame = await openWalletFrame(shop, { amount: 14_418, ...secured });
    const challenged = ok(await payByWallet(frame, "google_pay", { card }));
    assert.equal(challenged.state, "challenge");
    await answerChallenge(shop, challenged.challenge.url, "approve");
    const done = ok(await frame.continue(challenged.challenge.sealed));
    assert.equal(done.state, "approved");
    const transaction = await getTransaction(shop, done.transactionId);
    assert.equal(transaction.category.source, "google_pay");
    assert.equal(transaction.payment.instrument.card.last4, "5262");
    const plain = await paidBy(await openWalletFrame(shop), "google_pay", { card });
    assert.equal("authentication" in plain.transaction, false);
  });

  test("the wallet's cardholder name overrides the merchant's", async () => {
    const named = { customerRequest: { name: "Ada Lovelace" } };
    const nameOf = async (card: string) => {
      const { transaction } = await paidBy(await openWalletFrame(shop, named), "apple_pay", { card });
      return transaction.payment.instrument.card.name;
    };
    assert.equal(await nameOf("mastercard"), "SANDBOX CARDHOLDER");
    assert.equal(await nameOf("visa"), "Ada Lovelace");
  });
});
