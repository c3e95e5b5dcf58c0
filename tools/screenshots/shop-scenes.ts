import { checkoutPage } from "../../tests/support/checkout-page.ts";
import { type ShopVisit, shopVisit } from "../../tests/support/shop-visit.ts";
import type { Scene } from "./studio.ts";

type ShopScene = {
  readonly name: string;
  readonly reach: (visit: ShopVisit, shopUrl: string) => Promise<unknown>;
};

async function payByCard(visit: ShopVisit): Promise<void> {
  const checkout = checkoutPage(visit.page);
  await checkout.waitFor("ready");
  await checkout.fill({ name: "Ann Lee" });
  await checkout.pay();
}

const SCENES: readonly ShopScene[] = [
  { name: "front", reach: (visit, shopUrl) => visit.page.goto(shopUrl) },
  { name: "tour", reach: (visit, shopUrl) => visit.page.goto(`${shopUrl}/tour`) },
  {
    name: "basket",
    reach: async (visit, shopUrl) => {
      for (const product of ["Lighthouse Blend", "Night Ferry"]) {
        await visit.page.goto(shopUrl);
        await visit.press(`Add ${product} to the basket`);
      }
    },
  },
  {
    name: "debit-problem",
    reach: async (visit) => {
      await visit.tryStop("Direct debit");
      await visit.page.getByLabel("BSB").fill("12");
      await visit.press(/^Debit/);
    },
  },
  {
    name: "pay",
    reach: async (visit) => {
      await visit.tryStop("Embedded checkout");
      await visit.press("Continue to payment");
      await checkoutPage(visit.page).waitFor("ready");
    },
  },
  {
    name: "paid",
    reach: async (visit) => {
      await visit.tryStop("Embedded checkout");
      await visit.press("Continue to payment");
      await payByCard(visit);
      await visit.untilOrder("paid");
      await visit.page.locator(".news summary").click();
    },
  },
  {
    name: "declined",
    reach: async (visit) => {
      await visit.tryStop("A decline");
      await visit.press("Continue to payment");
      await payByCard(visit);
      const checkout = checkoutPage(visit.page);
      await checkout.waitFor("declined");
      await checkout.fill();
      await checkout.pay();
      await visit.untilOrder("declined");
    },
  },
  {
    name: "payid",
    reach: async (visit) => {
      await visit.tryStop("PayID");
      await visit.press("Show the PayID");
      await visit.untilOrder("open");
    },
  },
  {
    name: "account",
    reach: async (visit) => {
      await visit.tryStop("Saved card");
      await visit.press("Continue and save");
      await payByCard(visit);
      await visit.untilOrder("paid");
      await visit.page.getByRole("link", { name: "Account" }).click();
    },
  },
];

export function shopScenes(shopUrl: string): readonly Scene[] {
  return SCENES.map(({ name, reach }) => ({
    name: `shop-${name}`,
    reach: (page) => reach(shopVisit(page, shopUrl), shopUrl),
    ...(name === "pay" ? { windowOnly: true } : {}),
  }));
}
