import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { changeTheme } from "../../src/features/merchants/index.ts";
import type { Id } from "../../src/kernel/ids.ts";
import { assertAccessible } from "../support/axe.ts";
import { browserSetup } from "../support/browser.ts";
import { shopOf } from "../support/checkout.ts";
import { createHosted } from "../support/hosted-page.ts";
import { inContext } from "../support/operator.ts";

const setup = browserSetup();
const PURPLE = "rgb(138, 43, 226)";

describe("the merchant's default theme", () => {
  test("colours the checkout and the hosted page, and gives way to the page's own", async () => {
    const merchant = await setup.gateway.newMerchant();
    const shop = shopOf(setup.gateway, merchant.key);
    const theme = { variables: { colorPrimary: "#8a2be2", borderRadius: "2px" } };
    await inContext(setup.gateway.database, (ctx) => changeTheme(ctx, merchant.id as Id<"merchant">, theme));
    const styleOf = (property: string) =>
      `getComputedStyle(document.querySelector("button.pay")).getPropertyValue("${property}")`;
    await setup.visit(async (payer) => {
      for (const [ui, colour] of [
        [undefined, PURPLE],
        [{ variables: { fontSizeBase: "18px" } }, PURPLE],
        [{ variables: { colorPrimary: "teal" } }, "rgb(0, 128, 128)"],
      ] as const) {
        const { token } = await setup.request({}, shop);
        const checkout = await payer.open({ token, ...(ui === undefined ? {} : { config: { ui } }) });
        await checkout.waitFor("ready");
        const button = checkout.frame.locator("button.pay");
        const style = (name: string) =>
          button.evaluate(
            (element, property) => element.ownerDocument.defaultView.getComputedStyle(element)[property],
            name,
          );
        assert.equal(await style("backgroundColor"), colour);
        assert.equal(await style("borderTopLeftRadius"), "2px");
        await checkout.page.close();
      }
    });
    const { url } = (await createHosted(shop)).hostedPaymentPage as { readonly url: string };
    await setup.visit(async (payer) => {
      const page = await payer.context.newPage();
      await page.goto(url);
      await page.locator("button.pay").waitFor();
      assert.equal(await page.evaluate(styleOf("background-color")), PURPLE);
      assert.equal(await page.evaluate(styleOf("color")), "rgb(255, 255, 255)");
    });
  });
});

describe("hostedPaymentPage.theme", () => {
  for (const javaScriptEnabled of [true, false]) {
    test(`colours and font apply and stay accessible, ${javaScriptEnabled ? "with" : "without"} scripts`, async () => {
      const theme = {
        theme: "dark",
        variables: { colorPrimary: "#ffcc00", borderRadius: "2px" },
        font: "serif",
      };
      const { url } = (await createHosted(setup.shop, { page: { theme } })).hostedPaymentPage as {
        readonly url: string;
      };
      await setup.visit(
        async ({ context }) => {
          const page = await context.newPage();
          await page.goto(url);
          const button = page.locator("button.pay");
          await button.waitFor();
          const styles = await button.evaluate((element) => {
            const { backgroundColor, color, borderTopLeftRadius, fontFamily } =
              element.ownerDocument.defaultView.getComputedStyle(element);
            return { backgroundColor, color, borderTopLeftRadius, fontFamily };
          });
          assert.deepEqual(
            { ...styles, fontFamily: styles.fontFamily.split(",")[0] },
            {
              backgroundColor: "rgb(255, 204, 0)",
              color: "rgb(0, 0, 0)",
              borderTopLeftRadius: "2px",
              fontFamily: "Georgia",
            },
          );
          if (javaScriptEnabled) await assertAccessible(page.mainFrame(), "a themed page");
        },
        { javaScriptEnabled, colorScheme: "light" },
      );
    });
  }

  test("a value that this browser does not take leaves the page's own colours", async () => {
    const page = { theme: { variables: { colorPrimary: "notacolour", colorText: "#102030" } } };
    const { url } = (await createHosted(setup.shop, { page })).hostedPaymentPage as { readonly url: string };
    await setup.visit(
      async ({ context }) => {
        const shown = await context.newPage();
        await shown.goto(url);
        const button = shown.locator("button.pay");
        await button.waitFor();
        const styleOf = (selector: string, property: string) =>
          shown.evaluate(`getComputedStyle(document.querySelector("${selector}")).${property}`);
        assert.equal(await styleOf("button.pay", "backgroundColor"), "rgb(11, 95, 124)");
        assert.equal(await styleOf("body", "color"), "rgb(16, 32, 48)");
      },
      { colorScheme: "light" },
    );
  });
});
