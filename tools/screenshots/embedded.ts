import type { Page } from "playwright-core";
import { type CheckoutPage, checkoutPage } from "../../tests/support/checkout-page.ts";
import type { MerchantSite, PageOverrides } from "../../tests/support/merchant-page.ts";
import type { Scene } from "./studio.ts";

const GROUNDS = { light: "#fff", dark: "#0d1117" } as const;
const INKS = { light: "#17202e", dark: "#edf1f6" } as const;

/** What every scene inside a merchant's page has. The merchant's own page gets the colour of the payer's system. */
export const EMBEDDED: Pick<Scene, "windowOnly" | "prepare"> = {
  windowOnly: true,
  prepare: (page, colorScheme) =>
    page.evaluate(
      `document.body.style.background = ${JSON.stringify(GROUNDS[colorScheme])};
       document.querySelector("h1").style.color = ${JSON.stringify(INKS[colorScheme])}`,
    ),
};

/** A merchant's page with a checkout that follows the payer's system. */
export async function openEmbedded(
  page: Page,
  site: MerchantSite,
  overrides: PageOverrides,
): Promise<CheckoutPage> {
  await page.goto(await site.addressOf({ width: "calc(100% - 2rem)", ...overrides }));
  return checkoutPage(page);
}
