import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { browserSetup } from "../support/browser.ts";
import { callApi, getRequest, getTransaction, ok, shopOf } from "../support/checkout.ts";
import { createHosted, hostedPage } from "../support/hosted-page.ts";

const CREATE = { paymentInstrument: "create" };

describe("contract 3: a payer saves a card without paying", () => {
  const setup = browserSetup();

  test("in the embedded checkout, by a button named Save card, without a box or a price", async () => {
    const shop = shopOf(setup.gateway, (await setup.gateway.newMerchant()).key);
    const rates = { visa: { percent: 1, fixed: 30 } };
    ok(await callApi(shop, "PUT", "/management/account", { surcharging: { enabled: true, rates } }));
    const { id, token } = await setup.request({ amount: 0, customerRequest: CREATE }, shop);
    await setup.visit(async (payer) => {
      const checkout = await payer.open({ token });
      await checkout.waitFor("ready");
      await checkout.fill();
      assert.equal(await checkout.frame.getByRole("checkbox").count(), 0);
      assert.equal(await checkout.payButton.count(), 0);
      assert.doesNotMatch(await checkout.words(), /\$|surcharge/i);
      await checkout.frame.getByRole("button", { name: "Save card", exact: true }).click();
      await checkout.waitFor("approved");
      assert.match(await checkout.words(), /Card saved/);
      const { result, transactionId = "" } = await checkout.event("process");
      assert.equal(result.status, "approved");
      assert.equal((await getTransaction(shop, transactionId)).category.method, "verification");
      assert.ok((await getRequest(shop, id)).customerResult.paymentInstrumentId);
    });
  });

  for (const javaScriptEnabled of [true, false]) {
    test(`on the hosted page ${javaScriptEnabled ? "with" : "without"} JavaScript, after a decline too`, async () => {
      const { id, hostedPaymentPage } = await createHosted(setup.shop, {
        amount: 0,
        page: { attempts: 2 },
        more: { customerRequest: CREATE },
      });
      await setup.visit(
        async (payer) => {
          const hosted = hostedPage(await payer.context.newPage());
          await hosted.page.goto(hostedPaymentPage.url);
          const save = hosted.page.getByRole("button", { name: "Save card", exact: true });
          assert.doesNotMatch(await hosted.page.locator("body").innerText(), /\$|Amount to pay/);
          assert.equal(await hosted.page.getByRole("checkbox").count(), 0);
          await hosted.fill({ code: "000" });
          await save.click();
          await hosted.waitFor("declined");
          await hosted.fill();
          await save.click();
          await hosted.page.getByRole("heading", { name: "Card saved" }).waitFor();
          await hosted.waitFor("approved");
          assert.doesNotMatch(await hosted.page.locator("body").innerText(), /\$/);
        },
        { javaScriptEnabled },
      );
      const { customerResult, transactionAttempts } = await getRequest(setup.shop, id);
      assert.ok(customerResult.paymentInstrumentId);
      assert.equal(transactionAttempts.length, 1);
    });
  }
});
