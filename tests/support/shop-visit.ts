import type { Page } from "playwright-core";
import { PATIENCE_MS } from "./checkout-page.ts";

/** A shopper in the example shop. */
export type ShopVisit = {
  readonly page: Page;
  /** From the tour: one thing in the basket, and the way to pay that the stop is about. */
  readonly tryStop: (title: string) => Promise<void>;
  /** One thing from the sandbox's shelf, to be paid in this way. */
  readonly buy: (product: string, way: string) => Promise<void>;
  /** Opens a way to pay. */
  readonly choose: (way: string) => Promise<void>;
  readonly press: (button: string | RegExp) => Promise<void>;
  /** Waits until the order's page says that the order stands like this. */
  readonly untilOrder: (standing: string) => Promise<void>;
  readonly words: () => Promise<string>;
};

export function shopVisit(page: Page, shopUrl: string): ShopVisit {
  const press = (name: string | RegExp) => page.getByRole("button", { name }).click();
  const choose = async (title: string) => {
    const way = page.locator("details.way").filter({ has: page.locator("summary", { hasText: title }) });
    if ((await way.getAttribute("open")) === null) await way.locator("summary").click();
  };
  return {
    page,
    tryStop: async (title) => {
      await page.goto(`${shopUrl}/tour`);
      await page.locator(".stop").filter({ hasText: title }).getByRole("button", { name: "Try it" }).click();
    },
    buy: async (product, way) => {
      await page.goto(shopUrl);
      await press(`Add ${product} to the basket`);
      await choose(way);
    },
    choose,
    press,
    untilOrder: (standing) =>
      page.locator(`main[data-state="${standing}"]`).waitFor({ state: "attached", timeout: PATIENCE_MS }),
    words: () => page.locator("main").innerText(),
  };
}
