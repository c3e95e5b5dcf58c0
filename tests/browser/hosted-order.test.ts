import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Page, Route } from "playwright-core";
import { assertAccessible } from "../support/axe.ts";
import { browserSetup } from "../support/browser.ts";
import { callApi, ok, type Shop, shopOf } from "../support/checkout.ts";
import { createHosted, hostedPage } from "../support/hosted-page.ts";
import { walletButtons } from "../support/wallet-buttons.ts";

const setup = browserSetup();

const ITEMS = [
  { title: "Teapot", amount: 4000, quantity: 1 },
  { title: "Tea", amount: 1250, quantity: 2 },
];

async function surchargingShop(): Promise<Shop> {
  const shop = shopOf(setup.gateway, (await setup.gateway.newMerchant()).key);
  const rates = { visa: { percent: 1.9, fixed: 0 }, mastercard: { percent: 0, fixed: 0 } };
  ok(await callApi(shop, "PUT", "/management/account", { surcharging: { enabled: true, rates } }));
  return shop;
}

type OrderParts = {
  readonly lineItems: readonly object[];
  readonly amount: number;
  readonly paymentMethods?: readonly string[];
};

async function openOrder(
  page: Page,
  shop: Shop,
  { lineItems, amount, paymentMethods = ["card"] }: OrderParts,
) {
  const more = { paymentMethods };
  const { hostedPaymentPage } = await createHosted(shop, { amount, page: { lineItems }, more });
  const hosted = hostedPage(page);
  await page.goto(hostedPaymentPage.url);
  await hosted.waitFor("ready");
  return hosted;
}

/** Every amount that is shown as a total. */
const totalsOf = (page: Page) =>
  page.locator(".order-total:visible, .sums-total dd:visible, .price-total dd:visible").allInnerTexts();

describe("one total per screen", () => {
  test("the order takes the surcharge in and lets it go with the card", async () => {
    const shop = await surchargingShop();
    await setup.visit(async ({ context }) => {
      const hosted = await openOrder(await context.newPage(), shop, { lineItems: ITEMS, amount: 6500 });
      const { page } = hosted;
      assert.deepEqual(await totalsOf(page), ["$65.00", "$65.00"]);
      await hosted.number.fill("4111111111111111");
      assert.deepEqual(await totalsOf(page), ["$66.24", "$66.24", "$66.24"]);
      assert.match(await page.locator(".sums").innerText(), /Subtotal\s+\$65\.00\s+Surcharge\s+\$1\.24/);
      assert.equal(await hosted.payButton.innerText(), "Pay $66.24");
      await hosted.number.fill("5555555555554444");
      assert.deepEqual(await totalsOf(page), ["$65.00", "$65.00"]);

      await hosted.fill();
      await hosted.pay();
      await hosted.waitFor("approved");
      assert.match(await page.title(), /^Payment approved – /);
      await page.emulateMedia({ media: "print" });
      assert.deepEqual(await totalsOf(page), ["$66.24", "$66.24"], "in print");
      assert.match(await page.locator(".order").innerText(), /Teapot[\s\S]*Surcharge\s+\$1\.24/);
    });
  });

  test("a wallet's sheet that could not be confirmed and was cancelled leaves the form's total", async () => {
    const shop = await surchargingShop();
    await setup.visit(async ({ context }) => {
      const hosted = await openOrder(await context.newPage(), shop, {
        lineItems: ITEMS,
        amount: 6500,
        paymentMethods: ["card", "apple_pay"],
      });
      const wallets = walletButtons(hosted.page);
      await wallets.applePay.click();
      await context.setOffline(true);
      await wallets.confirm.click();
      await wallets.sheet.locator("#sheet-problem").waitFor();
      await wallets.cancel.click();
      await context.setOffline(false);
      assert.deepEqual(await totalsOf(hosted.page), ["$65.00", "$65.00"]);
      assert.equal(await hosted.payButton.innerText(), "Pay $65.00");
    });
  });

  const NOT_TAKEN: Readonly<Record<string, (route: Route) => Promise<void>>> = {
    "was refused": (route) =>
      route.fulfill({
        status: 429,
        json: {
          result: { status: "failed", codes: [{ id: "V11619", message: "checkout_attempts_too_many" }] },
        },
      }),
    "could not be sent": (route) => route.abort("internetdisconnected"),
  };
  for (const [what, answer] of Object.entries(NOT_TAKEN))
    test(`after a wallet's payment that ${what}, order and form show one total, with and without a card`, async () => {
      const shop = await surchargingShop();
      await setup.visit(async ({ context }) => {
        const hosted = await openOrder(await context.newPage(), shop, {
          lineItems: ITEMS,
          amount: 6500,
          paymentMethods: ["card", "apple_pay"],
        });
        const { page } = hosted;
        const wallets = walletButtons(page);
        await page.route("**/checkout/pay", answer);
        const payByWallet = async (card: string) => {
          await wallets.applePay.click();
          await wallets.card(card).check();
          await wallets.confirm.click();
          await page.locator("#notice:visible").waitFor();
        };
        await payByWallet("Visa");
        assert.deepEqual(await totalsOf(page), ["$65.00", "$65.00"]);
        assert.equal(await hosted.payButton.innerText(), "Pay $65.00");
        assert.equal(await page.locator(".sums-surcharge:visible").count(), 0);

        await hosted.fill({ number: "4111111111111111" });
        await payByWallet("Mastercard");
        assert.deepEqual(await totalsOf(page), ["$66.24", "$66.24", "$66.24"]);
        assert.equal(await hosted.payButton.innerText(), "Pay $66.24");

        await page.unroute("**/checkout/pay");
        await wallets.applePay.click();
        await wallets.card("Visa").check();
        await wallets.confirm.click();
        await hosted.waitFor("approved");
      });
    });

  test("so does the order beside the confirming step without scripts", async () => {
    const shop = await surchargingShop();
    await setup.visit(
      async ({ context }) => {
        const hosted = await openOrder(await context.newPage(), shop, { lineItems: [], amount: 6500 });
        await hosted.fill();
        await hosted.payButton.click();
        await hosted.page.getByRole("heading", { name: "Check the total" }).waitFor();
        assert.deepEqual(await totalsOf(hosted.page), ["$66.24", "$66.24"]);
        await hosted.payButton.click();
        await hosted.waitFor("approved");
        assert.deepEqual(await totalsOf(hosted.page), ["$66.24"]);
      },
      { javaScriptEnabled: false },
    );
  });
});

describe("nothing jumps when the card is known", () => {
  for (const width of [320, 1280]) {
    test(`the pay button stays where it is, with and without a surcharge, at ${width} px`, async () => {
      const shop = await surchargingShop();
      await setup.visit(
        async ({ context }) => {
          const hosted = await openOrder(await context.newPage(), shop, { lineItems: [], amount: 6500 });
          const heightOf = async () => (await hosted.payButton.boundingBox())?.y;
          const before = await heightOf();
          await hosted.number.fill("4111111111111111");
          await hosted.page.getByText("Visa 1.9%").waitFor();
          assert.equal(await heightOf(), before);
          await hosted.number.fill("5555555555554444");
          await hosted.page.getByText("No surcharge for Mastercard").waitFor();
          assert.equal(await heightOf(), before);
          await hosted.number.fill("");
          await hosted.page.getByText("A surcharge may apply").waitFor();
          assert.equal(await heightOf(), before);
        },
        { viewport: { width, height: 900 } },
      );
    });
  }
});

describe("the order and the form share the window", () => {
  const many = Array.from({ length: 40 }, (_, at) => ({ title: `Tea ${at}`, amount: 100, quantity: 1 }));

  for (const javaScriptEnabled of [true, false]) {
    const scripts = javaScriptEnabled ? "with scripts" : "without scripts";
    test(`a phone shows the card number at once, and the items behind one line, ${scripts}`, async () => {
      await setup.visit(
        async ({ context }) => {
          const { page, number } = await openOrder(await context.newPage(), setup.shop, {
            lineItems: many,
            amount: 4000,
          });
          const box = await number.boundingBox();
          assert.ok(box !== null && box.y + box.height < 664, `the number ends at ${box?.y}`);
          const first = page.getByText("Tea 0", { exact: true });
          assert.ok(!(await first.isVisible()));
          await page.getByText("40 items").click();
          assert.ok(await first.isVisible());
          if (javaScriptEnabled) await assertAccessible(page.mainFrame(), "an open order on a phone");
        },
        { javaScriptEnabled, viewport: { width: 390, height: 664 } },
      );
    });

    test(`at 768 px the order has 300 px or more, shows its items and scrolls, ${scripts}`, async () => {
      await setup.visit(
        async ({ context }) => {
          const { page } = await openOrder(await context.newPage(), setup.shop, {
            lineItems: many,
            amount: 4000,
          });
          assert.ok(await page.getByText("Tea 0", { exact: true }).isVisible());
          const order = await page.locator(".order").boundingBox();
          assert.ok(order !== null && order.width >= 300, `${order?.width} px`);
          const list = await page.locator(".items").boundingBox();
          assert.ok(list !== null && list.height <= 512, "half of the window at most");
        },
        { javaScriptEnabled, viewport: { width: 768, height: 1024 } },
      );
    });
  }
});
