import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { browserSetup } from "../support/browser.ts";
import { callApi, getRequest, getTransaction, ok, type Shop, shopOf } from "../support/checkout.ts";
import type { CheckoutPage } from "../support/checkout-page.ts";

const setup = browserSetup();

type Rates = Readonly<Record<string, { readonly percent: number; readonly fixed: number }>>;

describe("contract 8: a surcharge is shown before the payment", () => {
  async function shopWith(rates: Rates): Promise<Shop> {
    const shop = shopOf(setup.gateway, (await setup.gateway.newMerchant()).key);
    await setRates(shop, rates);
    return shop;
  }

  async function setRates(shop: Shop, rates: Rates): Promise<void> {
    ok(await callApi(shop, "PUT", "/management/account", { surcharging: { enabled: true, rates } }));
  }

  /** The rows of the price. */
  async function priceOf(checkout: CheckoutPage): Promise<Readonly<Record<string, string>>> {
    const rows = await checkout.frame.locator("dl > div").allInnerTexts();
    const pairs = rows.map((row) => [/^\w+/.exec(row)?.[0] ?? "", /\$[\d.,]+$/.exec(row.trim())?.[0] ?? ""]);
    return Object.fromEntries(pairs);
  }

  test("a card's surcharge shows on the page, in the event, on the button and in the transaction", async () => {
    const shop = await shopWith({ visa: { percent: 1.2, fixed: 10 }, amex: { percent: 2.5, fixed: 0 } });
    const { token } = await setup.request({ amount: 3000 }, shop);
    await setup.visit(async (payer) => {
      const checkout = await payer.open({ token });
      await checkout.waitFor("ready");
      assert.match(await checkout.words(), /A surcharge may apply/);
      assert.equal(await checkout.payButton.innerText(), "Pay $30.00");

      await checkout.number.fill("378282246310005");
      assert.equal((await checkout.event("surchargeUpdate")).surcharge, 75);
      assert.deepEqual(await priceOf(checkout), { Amount: "$30.00", Surcharge: "$0.75", Total: "$30.75" });
      assert.equal(await checkout.payButton.innerText(), "Pay $30.75");

      await checkout.number.fill("5555555555554444");
      assert.equal((await checkout.event("surchargeUpdate", 2)).surcharge, 0);
      assert.equal(await checkout.payButton.innerText(), "Pay $30.00");

      await checkout.fill();
      const update = await checkout.event("surchargeUpdate", 3);
      assert.deepEqual(update, { name: "surchargeUpdate", result: { status: "ok" }, surcharge: 46 });
      assert.equal(await checkout.payButton.innerText(), "Pay $30.46");
      await checkout.pay();
      await checkout.waitFor("approved");
      assert.match(await checkout.words(), /\$30\.46/);
      const { transactionId = "" } = await checkout.event("process");
      const { payment } = await getTransaction(shop, transactionId);
      assert.deepEqual([payment.amount, payment.surcharge, payment.totalAmount], [3000, 46, 3046]);
    });
  });

  test("without surcharging, the page shows no surcharge and sends no event", async () => {
    const { token } = await setup.request({ amount: 3000 });
    await setup.visit(async (payer) => {
      const checkout = await payer.open({ token });
      await checkout.fill();
      assert.doesNotMatch(await checkout.words(), /surcharge/i);
      await checkout.pay();
      await checkout.event("process");
      assert.ok(!(await checkout.events()).some(({ name }) => name === "surchargeUpdate"));
    });
  });

  test("if the price changes before the payment, the new one is shown, and nothing is charged until the payer accepts it", async () => {
    const shop = await shopWith({ visa: { percent: 1, fixed: 0 } });
    const { id, token } = await setup.request({ amount: 3000 }, shop);
    const made = async () =>
      ok(await callApi(shop, "GET", `/transactions?paymentrequestid=${id}`)).transactions;
    await setup.visit(async (payer) => {
      const checkout = await payer.open({ token });
      await checkout.fill();
      assert.equal(await checkout.payButton.innerText(), "Pay $30.30");
      await setRates(shop, { visa: { percent: 2, fixed: 0 } });
      await checkout.pay();
      await checkout.frame.getByRole("alert").filter({ hasText: "$30.60" }).waitFor();
      await checkout.waitFor("ready");
      assert.equal(await checkout.payButton.innerText(), "Pay $30.60");
      assert.deepEqual(await priceOf(checkout), { Amount: "$30.00", Surcharge: "$0.60", Total: "$30.60" });
      assert.equal((await checkout.event("surchargeUpdate", 2)).surcharge, 60);
      assert.deepEqual(await made(), [], "nothing is charged");

      await checkout.pay();
      await checkout.waitFor("approved");
      const [transaction, ...others] = await made();
      assert.equal(transaction.payment.totalAmount, 3060);
      assert.deepEqual(others, []);
    });
  });

  test("surcharging that begins after the form has loaded is sent to the page, too, and ends with the card", async () => {
    const shop = shopOf(setup.gateway, (await setup.gateway.newMerchant()).key);
    const { token } = await setup.request({ amount: 3000 }, shop);
    await setup.visit(async (payer) => {
      const checkout = await payer.open({ token });
      await checkout.fill();
      await setRates(shop, { visa: { percent: 2, fixed: 0 } });
      await checkout.pay();
      assert.equal((await checkout.event("surchargeUpdate")).surcharge, 60);
      await checkout.number.fill("5555555555554444");
      assert.equal((await checkout.event("surchargeUpdate", 2)).surcharge, 0);
      assert.equal(await checkout.payButton.innerText(), "Pay $30.00");
    });
  });
});

describe("contract 11: what the payment is for", () => {
  test("the description is above the form, as text, and wraps in a narrow frame", async () => {
    const description = `Order 1042 <b>tea</b> ${"x".repeat(120)}`;
    const { token } = await setup.request({ description });
    const viewport = { width: 320, height: 700 };
    await setup.visit(
      async (payer) => {
        const checkout = await payer.open({ token });
        await checkout.waitFor("ready");
        const shown = checkout.frame.locator(".description");
        assert.equal(await shown.innerText(), description);
        const isWide = await shown.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth);
        assert.ok(!isWide);
      },
      { viewport },
    );
  });

  test("without one there is no empty line", async () => {
    const { token } = await setup.request();
    await setup.visit(async (payer) => {
      const checkout = await payer.open({ token });
      await checkout.waitFor("ready");
      assert.equal(await checkout.frame.locator(".description").count(), 0);
    });
  });
});

describe("contract 11: consent to store the card", () => {
  const customerRequest = { name: "Mere Tui", paymentInstrument: "create" };

  for (const ticks of [false, true]) {
    test(`the box is unticked; ${ticks ? "ticked, the card is stored" : "left so, the payment stores nothing"}`, async () => {
      const { id, token } = await setup.request({ customerRequest });
      await setup.visit(async (payer) => {
        const checkout = await payer.open({ token });
        await checkout.fill();
        assert.equal(await checkout.name.inputValue(), "Mere Tui", "the merchant's name for the customer");
        assert.ok(!(await checkout.consent.isChecked()));
        if (ticks) await checkout.consent.check();
        await checkout.pay();
        await checkout.waitFor("approved");
        assert.equal((await getRequest(setup.shop, id)).customerResult !== undefined, ticks);
      });
    });
  }

  test("for payments that recur there is no box: a sentence at the button says so, and paying is the consent", async () => {
    const { id, token } = await setup.request({ customerRequest, category: { frequency: "recurring" } });
    await setup.visit(async (payer) => {
      const checkout = await payer.open({ token });
      await checkout.fill();
      assert.equal(await checkout.consent.count(), 0);
      assert.match(
        await checkout.words(),
        /By paying, you let Sandbox merchant store this card and charge it for the recurring payments that you agreed to/,
      );
      await checkout.pay();
      await checkout.waitFor("approved");
      assert.ok((await getRequest(setup.shop, id)).customerResult.paymentInstrumentId);
    });
  });

  test("without storage, no box is shown", async () => {
    const { token } = await setup.request();
    await setup.visit(async (payer) => {
      const checkout = await payer.open({ token });
      await checkout.waitFor("ready");
      assert.equal(await checkout.consent.count(), 0);
    });
  });
});
