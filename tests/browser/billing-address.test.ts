import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { FrameLocator, Page } from "playwright-core";
import { assertAccessible } from "../support/axe.ts";
import { browserSetup } from "../support/browser.ts";
import { CARD, getRequest, getTransaction } from "../support/checkout.ts";
import { createHosted, hostedPage } from "../support/hosted-page.ts";
import { savedVisa } from "../support/saved-cards.ts";

const HOME = {
  "Billing address": "12 Wharf Street",
  "Suburb or city": "Sydney",
  State: "NSW",
  Postcode: "2000",
};
const MISSING = "Enter the postcode of the card's billing address.";

describe("a payer enters the billing address", () => {
  const setup = browserSetup();
  const field = (within: FrameLocator | Page, label: string) => within.getByLabel(label, { exact: true });
  async function fillHome(within: FrameLocator | Page): Promise<void> {
    for (const [label, text] of Object.entries(HOME)) await field(within, label).fill(text);
  }
  async function addressResultOf(requestId: string): Promise<string> {
    const { transactionResult } = await getRequest(setup.shop, requestId);
    return (await getTransaction(setup.shop, transactionResult.id)).acquirer.addressResult;
  }

  test("in the frame: a missing part is said beside its field and nothing is sent; then it is paid", async () => {
    const { id, token } = await setup.request({ collectAddress: "full" });
    await setup.visit(async (payer) => {
      const checkout = await payer.open({ token });
      await checkout.waitFor("ready");
      await checkout.fill();
      await fillHome(checkout.frame);
      const postcode = field(checkout.frame, "Postcode");
      await postcode.fill("");
      await checkout.pay();
      assert.equal(await postcode.getAttribute("aria-invalid"), "true");
      assert.equal(await postcode.evaluate((input) => input === input.ownerDocument.activeElement), true);
      assert.ok((await checkout.words()).includes(MISSING));
      assert.equal(payer.requestCount("/checkout/pay"), 0);
      await assertAccessible(await checkout.document(), "address fields");
      await postcode.fill("2000");
      assert.ok(!(await checkout.words()).includes(MISSING));
      await field(checkout.frame, "Country").selectOption("NZ");
      await checkout.pay();
      await checkout.waitFor("approved");
      const [sent] = payer.requests.filter(({ url }) => url.endsWith("/checkout/pay"));
      assert.deepEqual(JSON.parse(sent?.body ?? "").address, {
        line1: "12 Wharf Street",
        city: "Sydney",
        state: "NSW",
        postcode: "2000",
        country: "NZ",
      });
    });
    assert.equal(await addressResultOf(id), "Y");
  });

  test("a part that the gateway refuses is said beside its field", async () => {
    const { token } = await setup.request({ collectAddress: "full" });
    await setup.visit(async (payer) => {
      const checkout = await payer.open({ token });
      await checkout.waitFor("ready");
      await checkout.fill();
      await fillHome(checkout.frame);
      const line = field(checkout.frame, "Billing address");
      await line.fill(CARD.number);
      await checkout.pay();
      await checkout.frame.getByText("Enter the street and number of the card's billing address.").waitFor();
      assert.equal(await line.getAttribute("aria-invalid"), "true");
      await line.fill("12 Wharf Street");
      await checkout.pay();
      await checkout.waitFor("approved");
    });
  });

  test("with a saved card, too, and stays after a decline", async () => {
    const { id: customer } = await savedVisa(setup.shop);
    const { id, token } = await setup.request({
      amount: 14_419,
      attempts: 2,
      collectAddress: "postcode",
      customerRequest: { id: customer },
    });
    await setup.visit(async (payer) => {
      const checkout = await payer.open({ token });
      await checkout.waitFor("ready");
      await checkout.code.fill(CARD.securityCode);
      await checkout.pay();
      assert.equal(await field(checkout.frame, "Postcode").getAttribute("aria-invalid"), "true");
      await field(checkout.frame, "Postcode").fill("2000");
      await checkout.pay();
      await checkout.waitFor("declined");
      assert.equal(await field(checkout.frame, "Postcode").inputValue(), "2000");
      await checkout.code.fill(CARD.securityCode);
      await checkout.pay();
      await checkout.waitFor("approved");
    });
    assert.equal(await addressResultOf(id), "Z");
  });

  for (const javaScriptEnabled of [true, false]) {
    test(`on the hosted page, scripts ${javaScriptEnabled ? "on" : "off"}`, async () => {
      const { id, hostedPaymentPage } = await createHosted(setup.shop, {
        more: { transactionRequest: { collectAddress: "full" } },
      });
      await setup.visit(
        async (payer) => {
          const page = await payer.context.newPage();
          const hosted = hostedPage(page);
          await page.goto(hostedPaymentPage.url);
          await hosted.waitFor("ready");
          assert.equal(await field(page, "Country").inputValue(), "AU");
          await hosted.fill();
          await fillHome(page);
          await hosted.pay();
          await hosted.waitFor("approved");
        },
        { javaScriptEnabled },
      );
      assert.equal(await addressResultOf(id), "Y");
    });
  }
});
