import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { visitDashboard } from "../support/dashboard-page.ts";

const visit = visitDashboard("operator");

describe("WCAG 3.2.2: the list of merchants in a browser", () => {
  test("the arrow keys choose any merchant, and only the button opens its page", async () => {
    const { gateway, page, base, accessible, errors } = visit();
    await gateway.newMerchant();
    await page.goto(`${base}/payouts`);
    const list = page.getByLabel("Merchant", { exact: true });
    const choices = await list.locator("option").evaluateAll((all) => all.map((one) => one.value));
    assert.ok(choices.length >= 3);
    await list.focus();
    await page.keyboard.press("Home");
    for (const choice of choices.slice(1)) {
      await page.keyboard.press("ArrowDown");
      assert.equal(await list.inputValue(), choice);
    }
    assert.equal(page.url(), `${base}/payouts`);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/${choices.at(-1)}/payouts`);
    await accessible("the list of merchants");
    assert.deepEqual(errors, []);
  });

  test("list, button and mode fit a phone", async () => {
    const { page, base } = visit();
    await page.setViewportSize({ width: 320, height: 640 });
    await page.goto(`${base}/payouts`);
    await page.getByRole("button", { name: "Show", exact: true }).waitFor();
    assert.equal(await page.evaluate("document.documentElement.scrollWidth"), 320);
  });
});
