import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Page } from "playwright-core";
import { assertAccessible } from "../support/axe.ts";
import { browserSetup } from "../support/browser.ts";
import { payIdShop } from "../support/payid.ts";

const setup = browserSetup();

async function pay(page: Page, amount: string): Promise<void> {
  await page.getByLabel("Amount in dollars").fill(amount);
  await page.getByRole("button", { name: "Pay", exact: true }).click();
}

const stateOf = (page: Page) => page.locator("main").getAttribute("data-state");

for (const theme of ["light", "dark"] as const) {
  describe(`contract 11: the sandbox's bank app, ${theme}`, () => {
    test("a payer pays too little, then exactly; every page meets WCAG 2.2 AA and has one main", async () => {
      const shop = payIdShop(setup.gateway);
      const { id, payId, bankApp } = await shop.request();
      await setup.visit(
        async ({ context }) => {
          const page = await context.newPage();
          await page.goto(`${setup.gateway.hostedUrl}${bankApp}`);
          await assertAccessible(page.mainFrame(), `the form, ${theme}`);
          await pay(page, "thirty");
          assert.equal(await stateOf(page), "ready");
          await page.getByText("Type an amount such as 30.00.").waitFor();
          await assertAccessible(page.mainFrame(), `the form with a problem, ${theme}`);

          await pay(page, "29.99");
          await page.getByRole("heading", { name: "Transfer returned: short" }).waitFor();
          assert.equal(await stateOf(page), "declined");
          await assertAccessible(page.mainFrame(), `a return, ${theme}`);

          await page.getByRole("link", { name: "Make another transfer" }).click();
          await page.getByText(payId).waitFor();
          await pay(page, "30.00");
          await page.getByRole("heading", { name: "Transfer accepted" }).waitFor();
          assert.equal(await stateOf(page), "approved");
          await assertAccessible(page.mainFrame(), `an acceptance, ${theme}`);
          assert.equal(await page.locator("main").count(), 1);
        },
        { colorScheme: theme, javaScriptEnabled: true, viewport: { width: 320, height: 700 } },
      );
      assert.equal((await shop.read(id)).paymentRequestStatus, "completed");
    });
  });
}

describe("contract 11: the sandbox's bank app by keyboard alone, without scripts, 320 px wide", () => {
  test("an amount and Enter make a transfer, and nothing is wider than the screen", async () => {
    const { bankApp } = await payIdShop(setup.gateway).request({ value: "w".repeat(64) });
    await setup.visit(
      async ({ context }) => {
        const page = await context.newPage();
        await page.goto(`${setup.gateway.hostedUrl}${bankApp}`);
        await page.keyboard.press("Tab");
        await page.keyboard.press("Control+A");
        await page.keyboard.type("30.00");
        await page.keyboard.press("Enter");
        await page.getByRole("heading", { name: "Transfer accepted" }).waitFor();
        for (const text of await page.locator("main p, main h1").all()) {
          const box = await text.boundingBox();
          assert.ok(box !== null && box.x >= 0 && box.x + box.width <= 320, JSON.stringify(box));
        }
      },
      { javaScriptEnabled: false, viewport: { width: 320, height: 700 } },
    );
  });
});
