import type { Page } from "playwright-core";
import { PATIENCE_MS } from "./checkout-page.ts";

/** A payer in the example shop. */
export type ShopVisit = {
  readonly page: Page;
  /** Starts a stop of the tour: one product in the basket, and its way to pay open. */
  readonly tryStop: (title: string) => Promise<void>;
  /** Puts one product in the basket and opens this way to pay. */
  readonly buy: (product: string, way: string) => Promise<void>;
  /** Opens a way to pay. */
  readonly choose: (way: string) => Promise<void>;
  readonly press: (button: string | RegExp) => Promise<void>;
  /** Waits until the order's page shows this state. */
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
