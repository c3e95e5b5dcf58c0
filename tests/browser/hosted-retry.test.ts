import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { browserSetup, type Payer } from "../support/browser.ts";
import { CARD, callApi, getRequest, ok, type Shop, shopOf } from "../support/checkout.ts";
import { EXPIRY } from "../support/checkout-page.ts";
import { createHosted, type HostedOverrides, hostedPage } from "../support/hosted-page.ts";
import { savedVisa } from "../support/saved-cards.ts";

/** Declined on the first attempt, approved on the second. */
const DECLINED_ONCE = 14_419;
const ENTERED = {
  "Expiry date": EXPIRY,
  "Name on card": "Mere Tui",
  "Billing address": "12 Wharf Street",
  "Suburb or city": "Nelson",
  State: "Tasman",
  Postcode: "7010",
  Country: "NZ",
};
const SECRETS = { "Card number": "", "Security code": "" };

/** Logs what a page stores. */
const LOG_STORED = `{
  const set = Storage.prototype.setItem;
  Storage.prototype.setItem = function (key, value) {
    console.log("stored " + value);
    set.call(this, key, value);
  };
}`;

for (const javaScriptEnabled of [true, false]) {
  describe(`contract 11: a declined payer tries again on the hosted page ${javaScriptEnabled ? "with" : "without"} JavaScript`, () => {
    const setup = browserSetup();
    const options = { javaScriptEnabled };

    async function open(payer: Payer, overrides: HostedOverrides, shop: Shop = setup.shop) {
      const { id, hostedPaymentPage } = await createHosted(shop, { page: { attempts: 2 }, ...overrides });
      const page = await payer.context.newPage();
      await page.goto(hostedPaymentPage.url);
      const field = (label: string) => page.getByLabel(label, { exact: true });
      return {
        ...hostedPage(page),
        id,
        field,
        consent: page.getByRole("checkbox", { name: "Save this card for future payments" }),
        values: async (labels: readonly string[]) =>
          Object.fromEntries(
            await Promise.all(labels.map(async (label) => [label, await field(label).inputValue()])),
          ),
      };
    }

    test("all entries but number and code stay, with the consent, and the next attempt stores the card", async () => {
      await setup.visit(async (payer) => {
        await payer.context.addInitScript(LOG_STORED);
        const hosted = await open(payer, {
          amount: DECLINED_ONCE,
          more: {
            customerRequest: { paymentInstrument: "create" },
            transactionRequest: { collectAddress: "full" },
          },
        });
        await hosted.waitFor("ready");
        await hosted.fill();
        for (const [label, value] of Object.entries(ENTERED)) {
          if (label === "Country") await hosted.field(label).selectOption(value);
          else await hosted.field(label).fill(value);
        }
        await hosted.consent.check();
        await hosted.pay();
        await hosted.waitFor("declined");
        const kept = { ...ENTERED, ...SECRETS };
        assert.deepEqual(await hosted.values(Object.keys(kept)), kept);
        assert.equal(await hosted.consent.isChecked(), true);
        if (javaScriptEnabled) {
          assert.equal(await hosted.page.evaluate("sessionStorage.length"), 0, "restored once");
          const stored = payer.console.filter((line) => line.startsWith("stored "));
          assert.equal(stored.length, 1);
          assert.doesNotMatch(stored.join(), /1111|securityCode|number/);
        } else {
          for (const { name, value } of await payer.context.cookies())
            assert.doesNotMatch(value, /1111|Mere/, name);
        }
        await hosted.number.fill(CARD.number);
        await hosted.field("Security code").fill(CARD.securityCode);
        await hosted.pay();
        await hosted.waitFor("approved");
        assert.notEqual((await getRequest(setup.shop, hosted.id)).customerResult, undefined);
      }, options);
    });

    test("another card stays chosen", async () => {
      const { id } = await savedVisa(setup.shop);
      await setup.visit(async (payer) => {
        const hosted = await open(payer, { amount: DECLINED_ONCE, more: { customerRequest: { id } } });
        const another = hosted.page.getByRole("radio", { name: "Use another card" });
        assert.equal(await another.isChecked(), false);
        await another.check();
        await hosted.fill();
        await hosted.pay();
        await hosted.waitFor("declined");
        assert.equal(await another.isChecked(), true);
        assert.equal(await hosted.number.isVisible(), true);
      }, options);
    });

    test("the entries stay when the bank's challenge fails", async () => {
      await setup.visit(async (payer) => {
        const hosted = await open(payer, {
          amount: 14_418,
          category: { authenticationType: "3d_secure" },
        });
        await hosted.fill({ name: "Mere Tui" });
        await hosted.pay();
        const bank = javaScriptEnabled ? hosted.bank : hosted.page;
        await bank.getByRole("button", { name: "Fail" }).click();
        await hosted.waitFor("declined");
        const kept = { "Name on card": "Mere Tui", "Expiry date": EXPIRY, ...SECRETS };
        assert.deepEqual(await hosted.values(Object.keys(kept)), kept);
      }, options);
    });

    if (!javaScriptEnabled)
      test("a payer who confirms a surcharge has the entries again, also on the way back", async () => {
        const shop = shopOf(setup.gateway, (await setup.gateway.newMerchant()).key);
        const surcharging = { enabled: true, rates: { visa: { percent: 0, fixed: 19 } } };
        ok(await callApi(shop, "PUT", "/management/account", { surcharging }));
        await setup.visit(async (payer) => {
          const hosted = await open(payer, { amount: DECLINED_ONCE }, shop);
          await hosted.fill({ name: "Mere Tui" });
          await hosted.pay();
          await hosted.page.getByRole("link", { name: "Use another card" }).click();
          const back = { "Name on card": "Mere Tui", "Expiry date": "", ...SECRETS };
          assert.deepEqual(await hosted.values(Object.keys(back)), back);
          await hosted.fill();
          await hosted.pay();
          await hosted.page.getByRole("heading", { name: "Check the total" }).waitFor();
          await hosted.pay();
          await hosted.waitFor("declined");
          const kept = { ...back, "Expiry date": EXPIRY };
          assert.deepEqual(await hosted.values(Object.keys(kept)), kept);
        }, options);
      });
  });
}
